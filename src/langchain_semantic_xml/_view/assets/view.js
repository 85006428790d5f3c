// The page at work: choose a chunk, in the list, in the source or on the map; hide the chunks not asked for; step
// through the matches of a search.
const start = () => {
  const input = document.querySelector("[type=search]");
  const boxes = [...document.querySelectorAll("[type=checkbox]")];
  const kinds = [...document.querySelectorAll("[data-kind]")];
  const steps = [...document.querySelectorAll("[data-step]")];
  const status = document.querySelector("[role=status]");
  const PAGE = 10;
  let shown = chunks.map((_, index) => index);
  let current = 0;
  let step = 0;
  let matches = 0;

  let isStale = true;  // whether the map must be drawn again, not only the mark on it
  const redrawSoon = oncePerFrame(() => {
    plots.draw(current, isStale);
    isStale = false;
  });
  const redraw = (stale = false) => {
    isStale ||= stale;
    redrawSoon();
  };

  // The chosen chunk is in the address; in a notebook's frame, which has none, the browser refuses.
  const writeAddress = () => {
    try {
      history.replaceState(null, "", `#${articles[current].id}`);
    } catch {
      // Only the address is missing.
    }
  };

  const mark = (index) => {
    articles[current].classList.remove("on");
    current = index;
    articles[current].classList.add("on");
    list.mark(index);
    panel.show(index);
    redraw();
  };

  const choose = (index, { focus = true } = {}) => {
    mark(index);
    writeAddress();
    if (focus) list.link(index).focus({ preventScroll: true });
  };

  // Scroll to a chunk, and again when the browser knows the heights around it.
  const scrollTo = (index, again = 2) => {
    articles[index].scrollIntoView({ block: "start" });
    if (again) requestAnimationFrame(() => { if (index === current) scrollTo(index, again - 1); });
  };

  const goTo = (index, options) => {
    choose(index, options);
    scrollTo(index);
  };

  const sayState = () => {
    const some = shown.length < chunks.length;
    const part = `${write(shown.length)} of ${write(chunks.length)} chunks shown`;
    const found = `${write(step + 1)} of ${write(matches)} matches`;
    status.textContent = [...(matches ? [found] : []), ...(some ? [part] : [])].join(", ");
    for (const button of steps) button.disabled = !matches;
  };

  const scrollToRange = (range) => {
    const scroller = getComputedStyle(main).overflowY === "visible" ? document.scrollingElement : main;
    const box = range.getBoundingClientRect();
    const view = scroller === main ? main.getBoundingClientRect() : { top: 0, bottom: innerHeight };
    if (box.top < view.top + 40 || box.bottom > view.bottom - 40) {
      scroller.scrollBy(0, box.top - view.top - (view.bottom - view.top) / 3);
    }
  };

  const goToMatch = (wanted) => {
    step = (wanted + matches) % matches;
    const { index, nth } = search.locate(shown, step);
    choose(index, { focus: false });
    const range = search.choose(index, nth);
    const scroll = () => {
      if (!range.getClientRects().length) articles[index].scrollIntoView({ block: "start" });
      scrollToRange(range);
    };
    scroll();
    requestAnimationFrame(() => {
      if (index === current) scroll();
      search.markSoon();
    });
    sayState();
  };

  // Show what the filters leave, at the first match if there is a search; keep the chosen chunk if it is among it.
  const apply = ({ seek = false } = {}) => {
    shown = hideRefused();
    matches = search.sum(shown);
    list.show(shown);
    search.forget();
    sayState();
    redraw(true);
    if (!shown.length) {
      list.fill();
      panel.clear();
    } else if (seek && matches) {
      goToMatch(0);
    } else if (chunks[current].hidden) {
      goTo(shown[0], { focus: false });
    } else {
      mark(current);
    }
    search.markSoon();
  };

  const applyTypes = () => {
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
    setFilter("types", off.size && ((chunk) => !off.has(chunk.type)));
    apply();
  };

  const moves = {
    ArrowDown: (at) => at + 1,
    ArrowUp: (at) => at - 1,
    PageDown: (at) => at + PAGE,
    PageUp: (at) => at - PAGE,
    Home: () => 0,
    End: () => Infinity,
  };
  const small = Number(plots.lengths.dataset.small);
  const tests = {
    cut: (chunk) => chunk.cut,
    small: (chunk) => chunk.length < small,
    oversized: (chunk) => chunk.oversized,
  };

  let waiting;
  const look = () => {
    clearTimeout(waiting);
    waiting = undefined;
    search.look(input.value);
    apply({ seek: true });
  };

  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 120);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (waiting !== undefined) look();
    else if (matches) goToMatch(step + (event.shiftKey ? -1 : 1));
  });
  for (const button of steps) {
    button.addEventListener("click", () => { if (matches) goToMatch(step + Number(button.dataset.step)); });
  }
  for (const box of boxes) box.addEventListener("change", applyTypes);
  for (const button of kinds) {
    button.addEventListener("click", () => {
      const press = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", press);
      setFilter(button.dataset.kind, press && tests[button.dataset.kind]);
      apply();
    });
  }

  list.frame.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    panel.open();
    goTo(list.indexOf(link));
  });
  list.frame.addEventListener("keydown", (event) => {
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = moves[event.key](shown.indexOf(current));
    if (shown.length) goTo(shown[Math.min(Math.max(at, 0), shown.length - 1)]);
  });
  main.addEventListener("click", (event) => {
    const chunk = event.target.closest("article");
    if (!chunk || !getSelection().isCollapsed) return;
    panel.open();
    choose(placeOf.get(chunk));
  });
  plots.canvas.addEventListener("click", (event) => {
    const index = plots.chunkAt(event.offsetX);
    const next = chunks[index].hidden ? shown.find((other) => other > index) ?? shown.at(-1) : index;
    if (next !== undefined) goTo(next);
  });
  addEventListener("hashchange", () => {
    const index = articles.findIndex((article) => `#${article.id}` === location.hash);
    if (index >= 0 && index !== current && !chunks[index].hidden) goTo(index, { focus: false });
  });
  addEventListener("resize", () => redraw(true));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw(true));

  drawTree(() => apply());
  plots.drawBins(() => apply());
  for (const button of steps) button.disabled = true;
  hideRefused();
  list.show(shown);
  list.measure();
  const linked = articles.findIndex((article) => `#${article.id}` === location.hash);
  if (panel.isSmall()) panel.close();
  mark(Math.max(linked, 0));
  if (linked >= 0) {
    scrollTo(linked);
    addEventListener("load", () => setTimeout(scrollTo, 0, current));  // after the browser's own attempt
  }
  setTimeout(search.warmUp, 500);
};

if (chunks.length) start();
