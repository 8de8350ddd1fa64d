// Prints as JSON what xd-crossword-tools reads in a .puz or .xd file.
const fs = require("fs");
const { puzToXD, xdToJSON } = require("xd-crossword-tools");

const path = process.argv[2];
const bytes = fs.readFileSync(path);
const xd = path.endsWith(".puz")
  ? puzToXD(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  : bytes.toString("utf8");
process.stdout.write(JSON.stringify({ xd, ...xdToJSON(xd) }));
