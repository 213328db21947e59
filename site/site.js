// What the theme leaves out for readers with a keyboard or a screen reader.
"use strict";
function name() {
  const search = document.querySelector(".md-search[role=dialog]");
  if (search) search.setAttribute("aria-label", "Search");
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) {
    table.tabIndex = 0;
    table.setAttribute("role", "region");
    table.setAttribute("aria-label", "Table");
  }
}
name();
// The theme wraps tables after this script has run.
new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
