// The application's window, driven through WebKit's own WebDriver.
import { freePort } from "../../clients/ts/support/net.ts";
import type { Desktop } from "./desktop.ts";
import type { Running } from "./processes.ts";
import { until } from "./until.ts";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
type Element = Record<typeof ELEMENT, string>;

/** Finds a control by its role and its accessible name, as a screen reader tells them. */
const FIND = `
  const [role, source] = arguments;
  const name = new RegExp(source, "i");
  const tags = { checkbox: "input[type=checkbox]", button: "button, [role=button]", link: "a[href], [role=link]", textbox: "textarea, input, [role=textbox], [contenteditable=true]" };
  const named = (element) => {
    const by = element.getAttribute("aria-labelledby");
    const labels = by ? by.split(" ").map((id) => document.getElementById(id)?.innerText ?? "") : [];
    const label = element.id ? document.querySelector('label[for="' + element.id + '"]')?.innerText : undefined;
    return [labels.join(" "), element.getAttribute("aria-label"), label, element.closest("label")?.innerText, element.innerText]
      .filter(Boolean).map((text) => text.replace(/\\s+/g, " ").trim());
  };
  // The editors stand in trees of their own.
  const all = (tree, like) => [
    ...tree.querySelectorAll(like),
    ...[...tree.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? all(shadowRoot, like) : [])),
  ];
  return all(document, tags[role] ?? '[role="' + role + '"]')
    .find((element) => element.getClientRects().length > 0 && named(element).some((text) => name.test(text))) ?? null;
`;

/** A session with the window that the application shows; it lasts as long as that window. */
export class Window {
  readonly #base: string;
  readonly #driver: Running;

  private constructor(base: string, driver: Running) {
    this.#base = base;
    this.#driver = driver;
  }

  /** Takes hold of the window of an application that listens for a driver on this port. */
  static async of(desktop: Desktop, inspector: number): Promise<Window> {
    const port = await freePort();
    const args = [`--port=${port}`, `--target=127.0.0.1:${inspector}`];
    const driver = desktop.processes.start("WebKitWebDriver", args, desktop.env);
    const origin = `http://127.0.0.1:${port}`;
    await until("the driver listens", async () => (await fetch(`${origin}/status`)).ok);
    const body = JSON.stringify({ capabilities: { alwaysMatch: { "webkitgtk:browserOptions": {} } } });
    const session = await until("the driver has the window", async () => {
      const answer = await fetch(`${origin}/session`, { method: "POST", body, signal: AbortSignal.timeout(10_000) });
      const { value } = (await answer.json()) as { value: { sessionId?: string; message?: string } };
      if (!value.sessionId) throw new Error(value.message);
      return value.sessionId;
    });
    return new Window(`${origin}/session/${session}`, driver);
  }

  async #ask<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    const { value } = (await answer.json()) as { value: any };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value?.error}: ${value?.message}`);
    return value;
  }

  /** Runs a function's body in the page. */
  run<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.#ask("POST", "/execute/sync", { script, args });
  }

  /** Runs an asynchronous function's body in the page. */
  async runLater<T>(script: string, ...args: unknown[]): Promise<T> {
    const later = `const done = arguments[arguments.length - 1];
      (async (...given) => { ${script} })(...[...arguments].slice(0, -1)).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await this.#ask<{ value: T; error?: string }>("POST", "/execute/async", { script: later, args });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** The page's address. */
  address(): Promise<string> {
    return this.#ask("GET", "/url");
  }

  /** Where in the screens the window is. */
  async place(): Promise<string> {
    return this.run<string>("return location.pathname + location.search");
  }

  /** All that stands in the page, as a person reads it. */
  text(): Promise<string> {
    return this.run("return document.body.innerText");
  }

  /** Waits until the page says this. */
  async says(words: RegExp, milliseconds?: number): Promise<void> {
    await until(`the window says ${words}`, async () => words.test(await this.text()), milliseconds);
  }

  /** Waits until the screens are there and have heard from the server. */
  async isThere(): Promise<void> {
    await this.says(/Serving \d+ connections?/);
  }

  /** Waits until the page is at this place. */
  async isAt(place: RegExp, milliseconds?: number): Promise<void> {
    await until(`the window is at ${place}`, async () => place.test(await this.place()), milliseconds);
  }

  /** A person looks before they decide: the screens take no act on what has only just come. */
  async look(): Promise<void> {
    await this.runLater("await new Promise((done) => setTimeout(done, 700))");
  }

  /** Waits until what the page has become is drawn, and nothing moves. */
  async painted(): Promise<void> {
    await this.runLater(`
      await document.fonts.ready;
      await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)));
      for (let frames = 0; frames < 3; frames += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    `);
  }

  async #find(role: string, name: RegExp): Promise<string> {
    const found = await until(`the window has the ${role} ${name}`, () => this.run<Element | null>(FIND, role, name.source));
    return found[ELEMENT];
  }

  async click(role: string, name: RegExp): Promise<void> {
    await this.#ask("POST", `/element/${await this.#find(role, name)}/click`);
  }

  async type(role: string, name: RegExp, text: string): Promise<void> {
    await this.#ask("POST", `/element/${await this.#find(role, name)}/value`, { text });
  }

  /** Ends the driver; the application goes on. */
  async letGo(): Promise<void> {
    await this.#driver.kill();
  }
}
