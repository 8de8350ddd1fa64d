// Prints as JSON, a line each, what @confuzzle/readpuz reads in .puz files.
const fs = require("fs");
const { readpuz } = require("@confuzzle/readpuz");

for (const path of process.argv.slice(2)) process.stdout.write(JSON.stringify(readpuz(fs.readFileSync(path))) + "\n");
