// Prints as JSON, a line each, what xd-crossword-tools reads in .puz, .jpz and .xd files.
const fs = require("fs");
const { jpzToXD, puzToXD, xdToJSON } = require("xd-crossword-tools");

for (const path of process.argv.slice(2)) {
  const bytes = fs.readFileSync(path);
  const xd = path.endsWith(".puz")
    ? puzToXD(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    : path.endsWith(".jpz")
      ? jpzToXD(bytes.toString("utf8"))
      : bytes.toString("utf8");
  process.stdout.write(JSON.stringify({ xd, ...xdToJSON(xd) }) + "\n");
}
