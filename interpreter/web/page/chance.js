/**
 * The generator of `machine/chance.py`, the same draws from the same seed.
 *
 * xoshiro256** 1.0 (Blackman and Vigna 2018), its state filled by SplitMix64 (Steele, Lea and Flood 2014);
 * game n of seed s starts SplitMix64 at the first output of SplitMix64(s), plus n. Bounded draws are
 * unbiased: the top bits are drawn again until they are below the bound; a bound of 1 draws nothing.
 */

const wrap = (number) => BigInt.asUintN(64, number);

class SplitMix64 {
  constructor(state) {
    this.state = wrap(state);
  }

  next() {
    this.state = wrap(this.state + 0x9e3779b97f4a7c15n);
    let z = this.state;
    z = wrap((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = wrap((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  }
}

export class Chance {
  /** `state`: four 64-bit numbers (BigInt), not all 0. */
  constructor(state) {
    this.state = state;
  }

  /** The generator of one game of a seed. Both may be numbers or BigInt; 64 bits of them count. */
  static ofGame(seed, number = 0) {
    const filler = new SplitMix64(new SplitMix64(BigInt(seed)).next() + BigInt(number));
    return new Chance([filler.next(), filler.next(), filler.next(), filler.next()]);
  }

  /** The next 64 bits, a BigInt. */
  next() {
    let [a, b, c, d] = this.state;
    const x = wrap(b * 5n);
    const result = wrap(wrap((x << 7n) | (x >> 57n)) * 9n);
    const t = wrap(b << 17n);
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = wrap((d << 45n) | (d >> 19n));
    this.state = [a, b, c, d];
    return result;
  }

  /** An even draw from 0 to bound - 1; `bound` is a number from 1 to 2**32. */
  below(bound) {
    const bits = (bound - 1).toString(2).length;
    if (bound === 1) return 0;
    for (;;) {
      const drawn = Number(this.next() >> BigInt(64 - bits));
      if (drawn < bound) return drawn;
    }
  }

  /** An even draw from an array that is not empty. */
  choice(items) {
    return items[this.below(items.length)];
  }

  /** A draw from [weight, item] pairs by weight. */
  weighted(items) {
    let drawn = this.below(items.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, item] of items) {
      if (drawn < weight) return item;
      drawn -= weight;
    }
    throw new RangeError("weights must be positive");
  }
}
