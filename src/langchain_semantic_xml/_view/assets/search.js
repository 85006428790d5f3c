// The search: which chunks contain a text, how often, and where. Matches are marked by the browser without a change of
// the page.
const search = (() => {
  const folded = [];  // the text of each chunk in lower case
  const names = chunks.map(({ article }) => article.querySelector("h3 .name")?.textContent.toLowerCase() ?? "");
  const counts = new Int32Array(chunks.length);
  const highlights = globalThis.CSS?.highlights;
  const found = highlights && new Highlight();
  const chosen = highlights && new Highlight();
  let wanted = "";
  let total = 0;

  // Lower case of the same length, so that offsets stay: the few characters with a longer form are kept.
  const fold = (text) => {
    const lower = text.toLowerCase();
    if (lower.length === text.length) return lower;
    return [...text].map((c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join("");
  };
  const textOf = (index) => (folded[index] ??= fold(chunks[index].text.textContent));

  const count = (text) => {
    let number = 0;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) number += 1;
    return number;
  };

  // Look for a text in all chunks, and in their names.
  const look = (text) => {
    wanted = fold(text);
    chunks.forEach((_, index) => { counts[index] = wanted ? count(textOf(index)) : 0; });
    setFilter("search", wanted && ((_, index) => counts[index] > 0 || names[index].includes(wanted)));
  };

  // Count the matches in the chunks that are shown.
  const sum = (shown) => {
    total = shown.reduce((number, index) => number + counts[index], 0);
    return total;
  };

  const startsIn = (index) => {
    const starts = [];
    const text = textOf(index);
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
    return starts;
  };

  // Return the ranges of the matches that start at the offsets `starts`, ascending, in a chunk.
  const rangesOf = (index, starts) => {
    const walker = document.createTreeWalker(chunks[index].text, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    let before = 0;
    const place = (offset, isEnd) => {
      while (node && offset - before >= node.length + (isEnd ? 1 : 0)) {
        before += node.length;
        node = walker.nextNode();
      }
      return [node, offset - before];
    };
    return starts.map((start) => {
      const range = new Range();
      range.setStart(...place(start, false));
      range.setEnd(...place(start + wanted.length, true));
      return range;
    });
  };

  // Mark the matches in the chunks near the view; more would cost time in proportion to all matches.
  const MOST = 2000;
  const markVisible = () => {
    if (!found) return;
    found.clear();
    if (!wanted || !total) return;
    const near = (element) => {
      const box = element.getBoundingClientRect();
      return box.bottom > -innerHeight && box.top < 2 * innerHeight && box.height > 0;
    };
    for (const group of groups) {
      if (group.hidden || !near(group)) continue;
      for (const article of group.querySelectorAll("article:not([hidden])")) {
        const index = placeOf.get(article);
        if (!counts[index] || !near(article)) continue;
        for (const range of rangesOf(index, startsIn(index).slice(0, MOST))) found.add(range);
      }
    }
  };

  // Return the chunk that holds the match of number `step`, from 0, of those shown, and which of its matches it is.
  const locate = (shown, step) => {
    let left = step;
    for (const index of shown) {
      if (left < counts[index]) return { index, nth: left };
      left -= counts[index];
    }
    return null;
  };

  // Mark a match as the chosen one, and return its range.
  const choose = (index, nth) => {
    const [range] = rangesOf(index, [startsIn(index)[nth]]);
    chosen?.clear();
    chosen?.add(range);
    return range;
  };
  const forget = () => chosen?.clear();

  // Read the texts while nothing else is to do, so that the first search is as fast as the next.
  const warmUp = (from = 0) => {
    const until = performance.now() + 20;
    let index = from;
    while (index < chunks.length && performance.now() < until) textOf(index++);
    if (index < chunks.length) setTimeout(warmUp, 20, index);
  };

  const markSoon = oncePerFrame(markVisible);
  if (highlights) {
    chosen.priority = 1;
    highlights.set("found", found);
    highlights.set("here", chosen);
    addEventListener("scroll", markSoon, { passive: true, capture: true });
  }
  return { look, sum, locate, choose, forget, markSoon, warmUp, hits: (index) => counts[index] };
})();
