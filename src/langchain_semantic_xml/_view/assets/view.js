// The view of chunks: choose one, in the list or in the source, and read its metadata; search, and hide the rest.
// Texts go from the page into the page as text nodes only. Chunks stand in groups, so that the browser skips those that
// are out of sight: with one skipped element for each chunk, each change would take time that grows with their square.
"use strict";
(() => {
  const links = [...document.querySelectorAll("nav a")];
  const chunks = [...document.querySelectorAll("article")];
  const items = links.map((link) => link.parentElement);
  const groups = [...document.querySelectorAll(".group")];
  const gaps = new Map(chunks.map((chunk) => [chunk, chunk.previousElementSibling]));
  const panel = document.querySelector("aside");
  const search = document.querySelector("[type=search]");
  const boxes = [...document.querySelectorAll("[type=checkbox]")];
  const shown = document.querySelector("[role=status]");
  const page = 10;
  const marksAround = 200;
  let current = 0;
  let texts = null;
  let matches = [];
  let match = -1;

  const make = (name, ...children) => {
    const element = document.createElement(name);
    element.append(...children);
    return element;
  };

  const showMetadata = (index) => {
    const rows = chunks[index].querySelector(".meta").textContent.split("\n").map((line) => {
      const tab = line.indexOf("\t");
      return make("div", make("dt", line.slice(0, tab)), make("dd", line.slice(tab + 1)));
    });
    const close = make("button", "Close");
    close.type = "button";
    close.addEventListener("click", () => { panel.hidden = true; });
    panel.replaceChildren(make("h2", `Chunk ${chunks[index].id.slice(1)}`), close, make("dl", ...rows));
    panel.hidden = false;
    panel.scrollTop = 0;
  };

  const mark = (index) => {
    links[current].removeAttribute("aria-current");
    links[current].tabIndex = -1;
    chunks[current].classList.remove("on");
    current = index;
    links[current].setAttribute("aria-current", "true");
    links[current].tabIndex = 0;
    chunks[current].classList.add("on");
  };

  const show = (index) => {
    mark(index);
    showMetadata(index);
    links[index].scrollIntoView({ block: "nearest" });
    try {
      history.replaceState(null, "", `#${chunks[index].id}`);
    } catch {
      // A frame of a notebook has no address of its own.
    }
  };

  const choose = (index) => {
    show(index);
    links[index].focus({ preventScroll: true });
  };

  const goTo = (index) => {
    choose(index);
    chunks[index].scrollIntoView({ block: "start" });
  };

  const visible = () => items.flatMap((item, index) => (item.hidden ? [] : [index]));

  const moves = {
    ArrowDown: (at) => at + 1,
    ArrowUp: (at) => at - 1,
    PageDown: (at) => at + page,
    PageUp: (at) => at - page,
    Home: () => 0,
    End: () => Infinity,
  };

  // Searching.

  const collect = () => {
    texts ??= chunks.map((chunk) => {
      const text = chunk.querySelector(".t").textContent;
      const name = chunk.querySelector("h3 .name")?.textContent ?? "";
      return { text, lower: text.toLowerCase(), name: name.toLowerCase() };
    });
    return texts;
  };

  // Return the range of the text from `start` to `end`, counted in the characters of the chunk's text.
  const rangeOf = ({ index, start, end }) => {
    const range = document.createRange();
    const walker = document.createTreeWalker(chunks[index].querySelector(".t"), NodeFilter.SHOW_TEXT);
    let passed = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const length = node.data.length;
      if (start >= passed && start < passed + length) range.setStart(node, start - passed);
      if (end > passed && end <= passed + length) {
        range.setEnd(node, end - passed);
        return range;
      }
      passed += length;
    }
    return range;
  };

  const paint = () => {
    if (!window.Highlight) return;
    const around = matches.slice(Math.max(match - marksAround, 0), match + marksAround);
    CSS.highlights.set("found", new Highlight(...around.map(rangeOf)));
    if (match < 0) CSS.highlights.delete("here");
    else CSS.highlights.set("here", new Highlight(rangeOf(matches[match])));
  };

  const tell = () => {
    const left = items.reduce((count, item) => count + !item.hidden, 0);
    const parts = [];
    if (matches.length) parts.push(`${(match + 1).toLocaleString("en")} of ${matches.length.toLocaleString("en")} matches`);
    if (left < chunks.length) {
      parts.push(`${left.toLocaleString("en")} of ${chunks.length.toLocaleString("en")} chunks shown`);
    }
    shown.textContent = parts.join(", ");
  };

  const goToMatch = (number) => {
    match = number;
    show(matches[match].index);
    paint();
    const place = rangeOf(matches[match]);
    chunks[matches[match].index].scrollIntoView({ block: "start" });
    place.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
    const main = document.querySelector("main");
    const box = place.getBoundingClientRect();
    const frame = main.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom) main.scrollTop += box.top - frame.top - frame.height / 3;
    tell();
  };

  const find = () => {
    matches = [];
    match = -1;
    if (!search.value) return;
    const pattern = new RegExp(search.value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "giu");
    chunks.forEach((_, index) => {
      if (!items[index].hidden) {
        for (const found of collect()[index].text.matchAll(pattern)) {
          matches.push({ index, start: found.index, end: found.index + found[0].length });
        }
      }
    });
  };

  const filter = () => {
    const wanted = search.value.toLowerCase();
    const types = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const all = !wanted && types.size === boxes.length;
    chunks.forEach((chunk, index) => {
      const contains = ({ lower, name }) => lower.includes(wanted) || name.includes(wanted);
      const hidden = !types.has(chunk.dataset.type) || (wanted !== "" && !contains(collect()[index]));
      if (items[index].hidden !== hidden) items[index].hidden = chunk.hidden = hidden;
      const gap = gaps.get(chunk);
      if (gap?.classList.contains("gap")) gap.hidden = hidden;
    });
    document.querySelectorAll("section > .gap, .group > .gap:last-child").forEach((gap) => { gap.hidden = !all; });
    groups.forEach((group) => {
      const left = [...group.children].filter((child) => !child.hidden && !child.matches(".gap"));
      group.hidden = left.length === 0;
      group.style.setProperty("--k", left.length);
      group.style.setProperty("--n", left.reduce((sum, child) => sum + Number(child.style.getPropertyValue("--n")) + 3, 0));
    });
    find();
    if (matches.length) goToMatch(0);
    else {
      paint();
      const left = visible();
      if (!left.length) panel.replaceChildren();
      else if (items[current].hidden || !panel.childElementCount) show(left[0]);
      tell();
    }
  };

  if (!chunks.length) return;
  links.forEach((link) => { link.tabIndex = -1; });
  const linked = chunks.findIndex((chunk) => `#${chunk.id}` === location.hash);
  mark(Math.max(linked, 0));
  showMetadata(current);

  document.querySelector("nav").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(links.indexOf(link));
  });
  document.querySelector("nav").addEventListener("keydown", (event) => {
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const order = visible();
    const at = moves[event.key](order.indexOf(current));
    if (order.length) goTo(order[Math.min(Math.max(at, 0), order.length - 1)]);
  });
  document.querySelector("main").addEventListener("click", (event) => {
    const chunk = event.target.closest("article");
    if (chunk && getSelection().isCollapsed) choose(chunks.indexOf(chunk));
  });
  (window.requestIdleCallback ?? setTimeout)(collect);
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 150);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !matches.length) return;
    event.preventDefault();
    goToMatch((match + (event.shiftKey ? matches.length - 1 : 1)) % matches.length);
  });
  boxes.forEach((box) => box.addEventListener("change", filter));
})();
