// Modules that are told by what they have that the first one has not (interpreter/web/deltas.py).

/** The bytes that `steps` make of `base`. */
export function applied(base, steps) {
  const parts = [];
  let at = 0;
  let size = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = steps[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const add = (part) => {
    parts.push(part);
    size += part.length;
  };
  while (at < steps.length) {
    const fresh = number();
    add(steps.subarray(at, at + fresh));
    at += fresh;
    if (at < steps.length) {
      const length = number();
      const offset = number();
      add(base.subarray(offset, offset + length));
    }
  }
  const made = new Uint8Array(size);
  let to = 0;
  for (const part of parts) {
    made.set(part, to);
    to += part.length;
  }
  return made;
}
