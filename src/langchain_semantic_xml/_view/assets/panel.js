// The panel with the metadata of the chosen chunk.
const panel = (() => {
  const aside = document.querySelector("aside");
  const SMALL_SCREEN = matchMedia("(max-width: 39.99rem)");

  const close = () => {
    document.body.classList.add("closed");
    aside.hidden = true;
  };
  const open = () => {
    document.body.classList.remove("closed");
    aside.hidden = false;
  };

  const show = (index) => {
    const { article } = chunks[index];
    const rows = article.querySelector(".meta").textContent.split("\n").map((line) => {
      const tab = line.indexOf("\t");
      return make("div", make("dt", line.slice(0, tab)), make("dd", line.slice(tab + 1)));
    });
    const button = makeButton("×", "Close the metadata", () => {
      close();
      list.link(index).focus({ preventScroll: true });
    });
    const top = make("div", make("h2", `Chunk ${article.id.slice(1)}`), button);
    top.className = "title";
    aside.replaceChildren(top, make("dl", ...rows));
    aside.scrollTop = 0;
  };

  const clear = () => aside.replaceChildren();

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !aside.hidden && aside.contains(document.activeElement)) {
      aside.querySelector("button")?.click();
    }
  });
  return { show, clear, open, close, isSmall: () => SMALL_SCREEN.matches };
})();
