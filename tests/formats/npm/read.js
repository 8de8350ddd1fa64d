// Prints as JSON, a line each, what a package reads in files: node read.js PACKAGE FILE …
// A file that it refuses is a line {"error": …}.
const fs = require("fs");

const [name, ...paths] = process.argv.slice(2);
const log = console.log;
console.log = console.warn = () => {};
const bufferOf = bytes => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);

const withXdTools = tools => path => {
  const bytes = fs.readFileSync(path), text = bytes.toString("utf8");
  const xd = path.endsWith(".puz") ? tools.puzToXD(bufferOf(bytes))
    : path.endsWith(".jpz") ? tools.jpzToXD(text)
    : path.endsWith(".ipuz") ? tools.ipuzToXD(text)
    : path.endsWith(".al.txt") ? tools.acrossTextToXD(text) : text;
  return { xd, ...tools.xdToJSON(xd) };
};
const readers = {
  "@confuzzle/readpuz": ({ readpuz }) => path => readpuz(fs.readFileSync(path)),
  "@xwordly/xword-parser": ({ parse }) => path => {
    const read = parse(fs.readFileSync(path), { filename: path });
    return { ...read, rebus: Object.fromEntries(read.rebusTable ?? []) };
  },
  "puzjs": ({ decode }) => path => decode(new Uint8Array(fs.readFileSync(path))),
};

(async () => {
  const loaded = await import(name);
  const read = (readers[name] ?? withXdTools)(loaded.default ?? loaded);
  for (const path of paths) {
    let seen;
    try {
      seen = read(path);
    } catch (error) {
      seen = { error: String(error) };
    }
    log(JSON.stringify(seen));
  }
})();
