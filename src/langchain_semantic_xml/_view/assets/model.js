// What the page's script knows of each chunk, and small helpers. Texts go from the page into the page as text nodes
// only.
const articles = [...document.querySelectorAll("article")];
const main = document.querySelector("main");
const groups = [...document.querySelectorAll(".group")];
const rests = [...document.querySelectorAll("section > .gap")];
const chunks = articles.map((article) => ({
  article,
  text: article.querySelector(".t"),
  gap: article.previousElementSibling?.classList.contains("gap") ? article.previousElementSibling : null,
  hidden: false,  // whether a filter refuses it
  isOut: false,  // whether its own element is hidden
  type: article.dataset.type,
  length: Number(article.dataset.length),
  own: Number(article.dataset.own),
  rows: article.dataset.rows.split(" ").filter(Boolean).map(Number),
  cut: article.classList.contains("part"),
  torn: article.classList.contains("torn"),
  alternate: article.classList.contains("alternate"),
  hue: article.style.getPropertyValue("--h"),
  chroma: article.style.getPropertyValue("--c"),
  oversized: article.classList.contains("over"),
}));
const placeOf = new Map(articles.map((article, index) => [article, index]));
const grouped = groups.map((group) => ({
  group,
  members: [...group.children].filter((child) => placeOf.has(child)).map((child) => placeOf.get(child)),
}));

const make = (name, ...children) => {
  const element = document.createElement(name);
  element.append(...children);
  return element;
};

const makeButton = (text, label, act) => {
  const button = make("button", text);
  button.type = "button";
  button.setAttribute("aria-label", label);
  button.addEventListener("click", act);
  return button;
};

const write = (number) => number.toLocaleString("en");

// Run `act` at most once for each picture that the browser draws.
const oncePerFrame = (act) => {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
};

// What hides chunks: a test for each filter that is on, under its name.
const filters = new Map();

const setFilter = (name, test) => {
  if (test) filters.set(name, test);
  else filters.delete(name);
};

// Hide the chunks that a filter refuses, with the notes on the gaps before them, and return the others' indices. Each
// group is told its height, since the browser does not look into a group that is far from the view. In a group that is
// hidden as a whole nothing else is touched.
const hideRefused = () => {
  const tests = [...filters.values()];
  const shown = [];
  for (const { group, members } of grouped) {
    let lines = 0;
    for (const index of members) {
      const chunk = chunks[index];
      chunk.hidden = !tests.every((test) => test(chunk, index));
      if (!chunk.hidden) {
        shown.push(index);
        lines += chunk.lines;
      }
    }
    group.hidden = lines === 0;
    if (!lines) continue;
    group.style.setProperty("--n", lines);
    for (const index of members) {
      const chunk = chunks[index];
      if (chunk.hidden === chunk.isOut) continue;
      chunk.isOut = chunk.article.hidden = chunk.hidden;
      if (chunk.gap) chunk.gap.hidden = chunk.hidden;
    }
  }
  rests.forEach((rest) => { rest.hidden = shown.length < chunks.length; });
  return shown;
};

const FRAME_LINES = 3;  // a chunk's heading and margins, in lines of text
chunks.forEach((chunk) => { chunk.lines = Number(chunk.article.style.getPropertyValue("--n")) + FRAME_LINES; });
