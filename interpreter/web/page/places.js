// Where men lie on a stage, what stands on a place, and which place is meant: plain functions of
// stage and scene (see `play/stage.py` and `scene.js`), so that they can be tried without a page.

/// The men a place shows: [{side, kind, count}], count 0 where a man stands for himself alone.
/// More than `full` of one kind are `full`, the last with the count; mixed heaps of more are one
/// man of each kind with its count. The counterpart of `geometry.shown`.
export function shown(piles, full) {
  const men = piles.reduce((sum, [, , count]) => sum + count, 0);
  const found = [];
  if (men <= full) {
    for (const [side, kind, count] of piles) for (let i = 0; i < count; i++) found.push({ side, kind, count: 0 });
  } else if (piles.length === 1) {
    const [side, kind, count] = piles[0];
    for (let i = 0; i < full; i++) found.push({ side, kind, count: i === full - 1 ? count : 0 });
  } else {
    for (const [side, kind, count] of piles) {
      if (kind) found.push({ side, kind, count: 0 });
      found.push({ side, kind, count });
    }
  }
  return found;
}

/// How far apart men lie who are shown: farther where a number would be covered. The counterpart of `Seat.step`.
export function step({ right, down, r }, men, full) {
  const length = Math.hypot(right, down);
  if (!length || !men.slice(0, -1).some((man) => man.count)) return [right, down];
  const wanted = Math.min(1.5 * r, ((full - 0.4) * length) / (men.length - 1));
  const more = Math.max(1, wanted / length);
  return [more * right, more * down];
}

/// Where the man number `index` (from 0) of those shown on a place lies.
export function spot(stage, number, men, index) {
  const place = stage.places[number];
  const [right, down] = step(place, men, stage.full);
  return { x: place.x + right * index, y: place.y + down * index };
}

/// Where the topmost man of a place lies, or the first would.
export function top(stage, scene, place) {
  const men = shown(scene.piles[place] ?? [], stage.full);
  return spot(stage, place, men, Math.max(0, men.length - 1));
}

/// A man (or a counted man) as markup around (0, 0), of the stage's radius.
export function manMarkup(stage, { side, kind, count }) {
  const drawn = stage.men[side][kind];
  if (!count) return drawn.man;
  const written = String(count);
  return drawn.counted[Math.min(written.length, drawn.counted.length) - 1].replaceAll("{n}", written);
}

/// A die as markup from a corner at (0, 0).
export function dieMarkup(stage, pips) {
  return stage.dice.faces[pips - 1] ?? stage.dice.other.replaceAll("{n}", String(pips));
}

/// How far apart so many dice lie.
export function diceStep(stage, count) {
  const { size, wide } = stage.dice;
  return Math.min(size + 8, (wide - size) / Math.max(1, count - 1));
}

/// The place meant by a point of the stage: whose box holds it, else the nearest within `reach`; -1 if none.
export function placeAt(stage, x, y, reach) {
  let best = -1;
  let least = [reach, Infinity];
  stage.places.forEach((place, number) => {
    const [left, topmost, wide, high] = place.box;
    const outside = Math.hypot(Math.max(left - x, 0, x - left - wide), Math.max(topmost - y, 0, y - topmost - high));
    const away = Math.hypot(x - left - wide / 2, y - topmost - high / 2);
    if (outside < least[0] || (outside === least[0] && away < least[1])) {
      best = number;
      least = [outside, away];
    }
  });
  return best;
}

/// The place that an arrow key leads to from a place (itself where there is none).
/// Left and right stay in the row; up and down lead to the next row that has a place ahead, so that no row is out of
/// reach (in a layout that was made up, to what lies nearest in the next row).
export function neighbour(stage, from, key) {
  const row = stage.rows.findIndex((places) => places.includes(from));
  const places = stage.rows[row];
  const at = places.indexOf(from);
  if (key === "ArrowLeft") return places[at - 1] ?? from;
  if (key === "ArrowRight") return places[at + 1] ?? from;
  if (key === "Home") return places[0];
  if (key === "End") return places[places.length - 1];
  const down = key === "ArrowDown";
  const here = centre(stage, from);
  const rows = down ? stage.rows.slice(row + 1) : stage.rows.slice(0, row).reverse();
  if (rows.length === 0) return from;
  const across = (other) => Math.abs(centre(stage, other).x - here.x);
  for (const places of stage.placed ? rows : []) {
    const ahead = places.filter((other) => across(other) <= Math.abs(centre(stage, other).y - here.y));
    if (ahead.length) return ahead.reduce((a, b) => (across(b) < across(a) ? b : a));
  }
  return rows[0].reduce((a, b) => (across(b) < across(a) ? b : a));
}

function centre(stage, number) {
  const [left, topmost, wide, high] = stage.places[number].box;
  return { x: left + wide / 2, y: topmost + high / 2 };
}

/// The men that came to new places from one scene to the next: [{place, from}], `from` a place that lost such a man.
export function arrivals(before, after) {
  const change = (sign) => {
    const found = [];
    for (let place = 0; place < after.piles.length; place++) {
      const counts = new Map();
      for (const [side, kind, count] of after.piles[place]) counts.set(`${side} ${kind}`, count);
      for (const [side, kind, count] of before.piles[place] ?? []) {
        counts.set(`${side} ${kind}`, (counts.get(`${side} ${kind}`) ?? 0) - count);
      }
      for (const [key, count] of counts) {
        const [side, kind] = key.split(" ").map(Number);
        for (let i = 0; i < sign * count; i++) found.push({ place, side, kind });
      }
    }
    return found;
  };
  const lost = change(-1);
  const found = [];
  for (const test of [(a, b) => a.side === b.side && a.kind === b.kind, (a, b) => a.side === b.side]) {
    for (const gain of change(1)) {
      if (found.some((one) => one.gain.place === gain.place && one.gain.side === gain.side)) continue;
      const at = lost.findIndex((one) => test(one, gain));
      if (at >= 0) found.push({ gain, from: lost.splice(at, 1)[0].place });
    }
  }
  return found.map(({ gain, from }) => ({ place: gain.place, from }));
}

/// What a place is called for those who hear it: `c3, 2 white men, can move`.
export function spoken(stage, scene, number, says) {
  const place = stage.places[number];
  const name = place.side === null ? place.label : `${place.label} of ${stage.sides[place.side]}`;
  const men = (scene.piles[number] ?? []).map(
    ([side, kind, count]) => `${count} ${stage.sides[side]} ${count === 1 ? stage.kinds[kind] : plural(stage.kinds[kind])}`,
  );
  const marks = (scene.marks ?? []).filter(([, places]) => places.includes(number)).map(([mark]) => mark);
  return [name, men.join(" and ") || "empty", ...marks, ...says].join(", ");
}

function plural(word) {
  if (/man$/.test(word)) return word.replace(/man$/, "men");
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, "ies");
  return word + (/(s|x|ch|sh)$/.test(word) ? "es" : "s");
}
