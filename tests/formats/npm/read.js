// Prints as JSON, a line each, what xd-crossword-tools reads in .puz, .jpz, .ipuz, .al.txt and .xd files.
// XD_TOOLS names another version of it; a file that it refuses is a line {"error": …}.
const fs = require("fs");
const tools = require(process.env.XD_TOOLS ?? "xd-crossword-tools");

console.warn = () => {};
const xdOf = path => {
  const bytes = fs.readFileSync(path);
  if (path.endsWith(".puz")) return tools.puzToXD(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const text = bytes.toString("utf8");
  if (path.endsWith(".jpz")) return tools.jpzToXD(text);
  if (path.endsWith(".ipuz")) return tools.ipuzToXD(text);
  return path.endsWith(".al.txt") ? tools.acrossTextToXD(text) : text;
};

for (const path of process.argv.slice(2)) {
  let read;
  try {
    const xd = xdOf(path);
    read = { xd, ...tools.xdToJSON(xd) };
  } catch (error) {
    read = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(read) + "\n");
}
