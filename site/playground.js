// The playground: asks the WebAssembly module, and shows its findings next to the lines. It sends nothing anywhere.
"use strict";
(function () {
  const script = document.currentScript;
  const form = document.getElementById("playground-form");
  const EXAMPLES = {
    manifest: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: nginx
        image: nginx:1.27
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
  namespace: shop
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 10
`,
    review: "",
  };
  EXAMPLES.before = EXAMPLES.manifest.split("---\n")[0];
  EXAMPLES.after = EXAMPLES.before.replace("nginx:1.27", "nginx:1.28").replace("replicas: 3", "replicas: 5");

  /* What the module may ask of the system. It has no files. */
  function system(memory) {
    const view = () => new DataView(memory().buffer);
    return {
      clock_time_get(clock, precision, at) {
        view().setBigUint64(at, BigInt(Date.now()) * 1000000n, true);
        return 0;
      },
      random_get(at, length) {
        crypto.getRandomValues(new Uint8Array(memory().buffer, at, length));
        return 0;
      },
      environ_sizes_get(count, size) {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
      proc_exit(status) {
        throw new Error(`the module ended with status ${status}`);
      },
    };
  }

  const NO_SUCH_FILE = 8; // EBADF
  const compiled = fetch(new URL("applyguard.wasm", script.src))
    .then(response => response.arrayBuffer())
    .then(bytes => WebAssembly.compile(bytes));

  async function instantiate() {
    const module = await compiled;
    let exports = null;
    const known = system(() => exports.memory);
    const imports = {};
    for (const each of WebAssembly.Module.imports(module)) {
      imports[each.module] = imports[each.module] || {};
      imports[each.module][each.name] = known[each.name] || (() => NO_SUCH_FILE);
    }
    exports = (await WebAssembly.instantiate(module, imports)).exports;
    exports._initialize();
    return exports;
  }

  let running = null;

  /* The answer to a question in the form of playground/playground.h. */
  async function ask(question) {
    running = running || instantiate();
    const exports = await running;
    try {
      const bytes = new TextEncoder().encode(JSON.stringify(question));
      const at = exports.playground_reserve(bytes.length);
      if (!at) throw new Error("it is too long for the memory");
      new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
      const answer = exports.playground_ask(bytes.length);
      if (!answer) throw new Error("there is no memory for the answer");
      const memory = new Uint8Array(exports.memory.buffer, answer);
      return JSON.parse(new TextDecoder().decode(memory.subarray(0, memory.indexOf(0))));
    } catch (error) {
      running = null; // Its memory may be in any state.
      throw error;
    }
  }

  function policyOf(profile) {
    return `apiVersion: applyguard.io/v1\nkind: Policy\nprofile: ${profile}\n`;
  }

  function questionOf() {
    const what = form.elements.what.value;
    const question = { policy: policyOf(form.elements.profile.value) };
    if (what !== "change") return { ...question, [what]: document.getElementById(what).value };
    for (const name of ["manager", "operation", "owner", "owner_operation"]) question[name] = form.elements[name].value;
    return { ...question, before: document.getElementById("before").value, after: document.getElementById("after").value };
  }

  /* All findings and problems in one form: {of, line, column, action, rule, message}. */
  function findingsOf(answer, what) {
    const of = what === "change" ? "after" : what;
    const findings = answer.problems.map(problem => ({ ...problem, action: "error" }));
    for (const line of answer.checked || []) {
      if (line.error) findings.push({ of, ...line, action: "error", message: line.error });
      for (const finding of line.findings || []) findings.push({ of, ...finding });
    }
    (answer.verdict ? answer.verdict.findings : []).forEach((finding, number) => findings.push({ of, ...finding, ...answer.places[number] }));
    return findings;
  }

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function cardOf(finding) {
    const rule = finding.rule ? element("a", { href: `rules/${finding.rule}.html` }, finding.rule) : "";
    const action = element("strong", { className: `action-${finding.action}` }, finding.action);
    return element("div", { className: "playground-finding" }, action, " ", rule, element("p", {}, finding.message));
  }

  const AROUND = 3, LINE_MAX = 200;

  function shown(text, findings) {
    if (text.length <= LINE_MAX) return text;
    const start = Math.max(0, (findings.length ? findings[0].column || 1 : 1) - 40);
    return (start ? "…" : "") + text.slice(start, start + LINE_MAX) + "…";
  }

  /* The lines of a text, those with findings and those next to them. */
  function tableOf(of, findings) {
    const lines = document.getElementById(of).value.split("\n");
    const byLine = new Map();
    for (const finding of findings) {
      const line = Math.min(Math.max(finding.line || 1, 1), lines.length);
      byLine.set(line, [...(byLine.get(line) || []), finding]);
    }
    const isShown = number => lines.length < 100 || [...byLine.keys()].some(line => Math.abs(line - number) <= AROUND);
    const body = element("tbody", {});
    let skipped = false;
    lines.forEach((text, index) => {
      const number = index + 1, found = byLine.get(number) || [];
      if (!isShown(number)) {
        skipped = true;
        return;
      }
      if (skipped) body.append(element("tr", {}, element("td", {}), element("td", {}, "…"), element("td", {})));
      skipped = false;
      const row = element("tr", { className: found.length ? "playground-found" : "" },
        element("th", { scope: "row" }, String(number)), element("td", {}, element("code", {}, shown(text, found))),
        element("td", {}, ...found.map(cardOf)));
      body.append(row);
    });
    const head = element("thead", {}, element("tr", {}, ...["Line", "Text", "Findings"].map(name => element("th", { scope: "col" }, name))));
    return element("table", { className: "playground-lines" }, head, body);
  }

  function summaryOf(findings, answer) {
    const counts = ["error", "deny", "warn", "audit"].map(action => [findings.filter(each => each.action === action).length, action]);
    const said = counts.filter(([count]) => count).map(([count, action]) => `${count} ${action}`);
    const outcome = !answer.verdict ? "" : answer.verdict.allowed ? " The write is allowed." : " The write is denied.";
    return (said.length ? `Found: ${said.join(", ")}.` : "Nothing to find here.") + outcome;
  }

  let asked = 0;

  async function judge() {
    const number = ++asked, what = form.elements.what.value;
    const summary = document.getElementById("summary"), place = document.getElementById("findings");
    const question = questionOf();
    if (!question.manifest && !question.review && !question.after) {
      summary.textContent = "Paste something above.";
      place.replaceChildren();
      return;
    }
    try {
      const answer = await ask(question);
      if (number !== asked) return;
      const findings = findingsOf(answer, what);
      const of = what === "change" ? (findings.some(each => each.of === "before") ? "before" : "after") : what;
      summary.textContent = summaryOf(findings, answer);
      place.replaceChildren(tableOf(of, findings.filter(each => each.of === of || each.of === "policy")));
    } catch (error) {
      summary.textContent = `This cannot be judged here: ${error.message}`;
      place.replaceChildren();
    }
  }

  function choose() {
    for (const part of form.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== form.elements.what.value;
    judge();
  }

  let waiting = 0;
  for (const [name, text] of Object.entries(EXAMPLES)) document.getElementById(name).value = text;
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("change", choose);
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(judge, 300);
  });
  compiled.then(() => {
    form.hidden = false;
    document.getElementById("playground-missing").hidden = true;
    choose();
  });
  window.applyguard = { ask, policyOf };
})();
