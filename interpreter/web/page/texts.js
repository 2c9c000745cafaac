// What two versions of a text have in common.

// The first line (from 1) in which they differ; one past the last where they do not.
export function firstChange(a, b) {
  const [these, those] = [a.split("\n"), b.split("\n")];
  const line = these.findIndex((one, n) => one !== those[n]);
  return line < 0 ? these.length + 1 : line + 1;
}
