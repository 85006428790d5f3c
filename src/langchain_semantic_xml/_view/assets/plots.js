// Two plots above the chunks: the bundle from start to end with its cuts, and how many chunks have which length.
const plots = (() => {
  const canvas = document.querySelector(".map canvas");
  const lengths = document.querySelector(".lengths");
  const BINS = 20;
  const starts = [];  // where each chunk begins among all own characters
  let total = 0;
  for (const chunk of chunks) {
    starts.push(total);
    total += Math.max(chunk.own, 1);
  }

  // The map: a box for each chunk in its type's colour, a tick below it where a block was cut, and above it one for a
  // match. Chunks that begin in the same part of a pixel are drawn once.
  const TICK = 4;
  const picture = document.createElement("canvas");
  const drawPicture = (width, height, scale) => {
    picture.width = canvas.width;
    picture.height = canvas.height;
    const pen = picture.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const [fill, accent, ink, match] = ["--fill", "--accent", "--ink", "--match"].map((n) => style.getPropertyValue(n));
    const bottom = height - TICK;
    const gap = width > 3 * chunks.length ? 1 : 0;  // between boxes, where there is room
    const done = { box: -1, faded: -1, cut: -1, match: -1 };
    const isNew = (what, at) => {
      const place = Math.floor(at * 2);
      const fresh = place > done[what];
      if (fresh) done[what] = place;
      return fresh;
    };
    chunks.forEach((chunk, index) => {
      const left = edge(index, width);
      const wide = Math.max(edge(index + 1, width) - left - gap, 0.5);
      if (isNew(chunk.hidden ? "faded" : "box", left)) {
        if (!chunk.hidden) pen.clearRect(left, TICK, wide, bottom - TICK);
        pen.globalAlpha = chunk.hidden ? 0.2 : 1;
        pen.fillStyle = `oklch(${chunk.alternate ? accent : fill} ${0.13 * chunk.chroma} ${chunk.hue})`;
        pen.fillRect(left, TICK, wide, bottom - TICK);
        pen.globalAlpha = 1;
      }
      if (chunk.torn && isNew("cut", left)) {
        pen.fillStyle = ink;
        pen.fillRect(left - 0.5, bottom, 1, TICK);
      }
      if (search.hits(index) && !chunk.hidden && isNew("match", left)) {
        pen.fillStyle = match;
        pen.fillRect(left, 0, Math.max(wide, 1), TICK - 1);
      }
    });
  };
  const edge = (index, width) => (width * (starts[index] ?? total)) / total;

  const draw = (current, isStale) => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width) return;
    const scale = devicePixelRatio || 1;
    if (isStale) {
      canvas.width = width * scale;
      canvas.height = height * scale;
      drawPicture(width, height, scale);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(picture, 0, 0);
    pen.scale(scale, scale);
    pen.strokeStyle = getComputedStyle(canvas).getPropertyValue("--ink");
    pen.lineWidth = 2;
    const left = edge(current, width);
    pen.strokeRect(left, TICK, Math.max(edge(current + 1, width) - left, 3), height - 2 * TICK);
  };

  const chunkAt = (x) => {
    const wanted = (total * x) / canvas.clientWidth;
    let low = 0;
    for (let high = chunks.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= wanted) low = middle;
      else high = middle;
    }
    return low;
  };

  // The lengths: a bin is a button that leaves its chunks. What is longer than the chunk size has a bin of its own.
  const limit = Number(lengths?.dataset.limit);
  const binOf = (length) => (length > limit ? BINS : Math.min(Math.floor((length * BINS) / limit), BINS - 1));
  const drawBins = (changed) => {
    const counts = Array(BINS + 1).fill(0);
    for (const chunk of chunks) counts[binOf(chunk.length)] += 1;
    if (!counts[BINS]) counts.pop();
    const highest = Math.max(...counts);
    const bins = counts.map((count, bin) => {
      const [low, high] = [Math.ceil((bin * limit) / BINS), Math.ceil(((bin + 1) * limit) / BINS) - (bin < BINS - 1)];
      const label = `${bin < BINS ? `${low} to ${high}` : `more than ${limit}`}: ${write(count)} ${count === 1 ? "chunk" : "chunks"}`;
      const button = makeButton("", label, () => {
        const press = button.getAttribute("aria-pressed") !== "true";
        for (const other of bins) other.setAttribute("aria-pressed", other === button && press);
        setFilter("length", press && ((chunk) => binOf(chunk.length) === bin));
        changed();
      });
      button.title = label;
      button.disabled = !count;
      button.setAttribute("aria-pressed", "false");
      button.append(make("span"));
      button.firstElementChild.style.height = count ? `${Math.max((100 * count) / highest, 6)}%` : "0";
      if (bin === BINS) button.className = "over";
      return button;
    });
    // One of the bins takes the focus; arrow keys go on from there.
    const enabled = bins.filter((bin) => !bin.disabled);
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    for (const bin of bins) bin.tabIndex = bin === enabled[0] ? 0 : -1;
    const group = lengths.querySelector(".bins");
    group.addEventListener("keydown", (event) => {
      const next = enabled[enabled.indexOf(event.target) + steps[event.key]];
      if (!next) return;
      event.preventDefault();
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
    group.replaceChildren(...bins);
  };

  return { canvas, lengths, draw, chunkAt, drawBins };
})();
