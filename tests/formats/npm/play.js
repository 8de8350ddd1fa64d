// Solves a page in headless Chromium: node play.js CHROMIUM PAGE [touch], with a list of steps as JSON on stdin.
// Prints as JSON what each "look" saw, and every address that the page asked for beside its own.
const fs = require("fs");
const { chromium } = require("playwright-core");

const steps = JSON.parse(fs.readFileSync(0, "utf8"));
const [executablePath, page_path, touch] = process.argv.slice(2);

const look = () => ({
  letters: [...document.querySelectorAll("#grid .cell")].map(cell => cell.querySelector(".letter")?.textContent ?? "#"),
  here: [...document.querySelectorAll("#grid .cell")].findIndex(cell => cell.classList.contains("here")),
  word: [...document.querySelectorAll("#grid .cell")].flatMap((cell, index) => cell.classList.contains("word") ? [index] : []),
  wrong: [...document.querySelectorAll("#grid .cell")].flatMap((cell, index) => cell.classList.contains("wrong") ? [index] : []),
  marks: [...document.querySelectorAll("#grid .cell")].map(cell => cell.className),
  numbers: [...document.querySelectorAll("#grid .cell")].map(cell => cell.querySelector(".number")?.textContent ?? ""),
  clue: document.getElementById("clue").textContent,
  clues: [...document.querySelectorAll("#lists li")].map(item => item.textContent),
  message: document.getElementById("message").textContent,
  timer: document.getElementById("timer").textContent,
  title: document.title,
  heading: document.querySelector("header").textContent,
  square: document.querySelector(".cell").getBoundingClientRect().width,
  cut: [...document.querySelectorAll("#lists section")].some(list => list.scrollHeight > list.clientHeight + 1),
  shown: ["nav", "#clue", "#grid", "#lists", "#solution"].filter(name => getComputedStyle(document.querySelector(name)).display !== "none"),
});

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const context = await browser.newContext(touch ? { hasTouch: true, isMobile: true, viewport: { width: 390, height: 740 } } : {});
  const page = await context.newPage();
  const asked = [], errors = [], seen = [];
  page.on("request", request => { if (!request.url().startsWith("file:")) asked.push(request.url()); });
  page.on("pageerror", error => errors.push(String(error)));
  page.on("dialog", dialog => dialog.accept());
  await page.clock.install();
  await page.goto("file://" + page_path);
  for (const [step, ...given] of steps) {
    if (step === "press") await page.keyboard.press(given[0]);
    else if (step === "type") await page.keyboard.type(given[0]);
    else if (step === "tap") touch ? await page.tap(given[0]) : await page.click(given[0]);
    else if (step === "select") await page.selectOption("#" + given[0], given[1]);
    else if (step === "wait") await page.clock.runFor(given[0] * 1000);
    else if (step === "media") await page.emulateMedia({ media: given[0] });
    else if (step === "reload") await page.reload();
    else if (step === "pages") seen.push((await page.pdf()).toString("latin1").match(/\/Type \/Page\b/g).length);
    else if (step === "picture") await page.screenshot({ path: given[0] });
    else if (step === "look") seen.push(await page.evaluate(look));
    else throw new Error("no such step: " + step);
  }
  await browser.close();
  process.stdout.write(JSON.stringify({ seen, asked, errors }));
})();
