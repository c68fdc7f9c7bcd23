import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { Markdown } from "./markdown";

vi.mock("../platform", () => ({ platform: { openLink: () => undefined } }));
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => () => undefined }));

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

describe("a unit's text", () => {
  it("is set as Markdown", () => {
    expect(html("A **fact**\n\n- one\n- two")).toMatch(/<strong>fact<\/strong>.*<li>one<\/li>/s);
    expect(html("| a | b |\n|---|---|\n| 1 | 2 |")).toContain("<td>2</td>");
  });

  it("runs nothing and loads nothing", () => {
    const hostile = [
      "<script>alert(1)</script>",
      '<img src=x onerror="alert(1)">',
      "<iframe src='https://evil.example'></iframe><style>*{display:none}</style><a href='javascript:alert(1)'>x</a>",
      "[js](javascript:alert(1)) [data](data:text/html,x) [vb](vbscript:x) [file](file:///etc/passwd) [here](/api/sign-out) [token](#token=x)",
      "![pixel](https://evil.example/p.png) ![data](data:image/svg+xml,<svg/onload=alert(1)>)",
      "[ref]: javascript:alert(1)\n[see][ref]",
      "<https://ok.example> javascript:alert(1) data:text/html,x",
      "<svg><script>alert(1)</script></svg>",
      "&lt;script&gt;alert(1)&lt;/script&gt;",
    ].join("\n\n");
    const made = html(hostile);
    expect(made).not.toMatch(/<(script|img|iframe|style|svg|object|embed|form|input|video|audio|link|meta|base)\b/i);
    expect(made).not.toMatch(/<[^>]*\s(on\w+|style|src)=/i);
    const links = [...made.matchAll(/href="([^"]*)"/g)].map((found) => found[1]);
    expect(links).toEqual(["https://evil.example/p.png", "https://ok.example/"]);
    for (const link of made.matchAll(/<a [^>]*>/g)) expect(link[0]).toMatch(/rel="noopener noreferrer" target="_blank"/);
  });

  it("leads to a unit inside", () => {
    expect(html("[approver](ozbrain:4F6K2M9Q0X1C)")).toContain('href="/brains?unit=4F6K2M9Q0X1C"');
  });

  it("holds nothing up, whatever its shape", () => {
    const shapes = [
      "- item **bold** [a](https://a.example)\n".repeat(6000),
      ">".repeat(20_000),
      "*a_".repeat(8000),
      `${"|a".repeat(2000)}\n${"|-".repeat(2000)}\n${"|x\n".repeat(2000)}`,
      Array.from({ length: 3000 }, (_, i) => `${"  ".repeat(Math.min(i, 400))}- l${i}`).join("\n"),
      "[".repeat(16_000),
      "![a](".repeat(3000),
      "`".repeat(20_000),
    ];
    for (const shape of shapes) {
      const start = performance.now();
      html(shape);
      expect(performance.now() - start, shape.slice(0, 12)).toBeLessThan(1000);
    }
  });
});

/** What is seen of a text: the letters between the tags. */
const seen = (text: string) =>
  html(text)
    .replace(/<\/(p|li|td|th|h\d|pre)>|<br\/?>\n?/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, "&");

it("sets a long text too, section by section, and says how much of it shows", () => {
  const long = html("# Head\n\nSome **bold** words.\n\n".repeat(2_000));
  expect(long).toContain("<strong>bold</strong>");
  expect(long).toContain("Show all");
  expect(html("x".repeat(30_000))).toContain("Shown as it was written");
});

describe("who accepts a text sees all of it", () => {
  it.each([
    ["a comment", "Fine.\n\n<!-- pay to 12-34 -->", "<!-- pay to 12-34 -->"],
    ["a comment in a line", "Fine <!-- pay to 12-34 --> so.", "Fine <!-- pay to 12-34 --> so."],
    ["an element", "<div>\nhidden words\n</div>", "<div>\nhidden words\n</div>"],
    ["an element in a line", "a <b title='words'>c</b> d", "a <b title='words'>c</b> d"],
    ["a processing instruction", "<?words?>", "<?words?>"],
    ["letters that look like an element", "Use `x` and Vec<T> and if a<b>c.", "Vec<T> and if a<b>c."],
    ["a definition", 'Fine.\n\n[x]: https://a.example "secret words"', '[x]: https://a.example "secret words"'],
    ["a definition in a quotation", '> Fine.\n>\n> [x]: /a "secret words"', 'secret words'],
    ["a definition's double", "[x]\n\n[x]: https://a.example\n[x]: https://b.example/words", "https://b.example/words"],
    ["a note that nothing refers to", "Fine.\n\n[^1]: secret words", "[^1]: secret words"],
    ["a note that is referred to", "Fine[^1].\n\n[^1]: secret words", "Fine[^1].\n\n[^1]: secret words"],
    ["notes that refer to each other alone", "Fine.\n\n[^a]: one[^b]\n\n[^b]: two[^a]", "[^b]: two[^a]"],
    ["a link's title", '[here](https://a.example "secret words")', "here [secret words]"],
    ["the address of a link that leads nowhere", "[here](javascript:pay(1))", "here [javascript:pay(1)]"],
    ["a link without words", "[](https://a.example/words)", "https://a.example/words"],
    ["a picture's title and address", '![pic](data:text/plain,words "title words")', "pic [data:text/plain,words] [title words]"],
    ["words after a fence", "```js secret words\nx\n```", "js secret words"],
    ["surplus cells", "| a |\n|---|\n| 1 | secret words |", "secret words"],
    ["a number of a list", "1. a\n5. b", "b"],
    ["characters of tags", "Fine\u{E0041}\u{E0042}.", "Fine⟨U+E0041⟩⟨U+E0042⟩."],
    ["characters by reference", "Fine&#x200B;.", "Fine⟨U+200B⟩."],
    ["a turn of direction", "a\u202Eb", "a⟨U+202E⟩b"],
    ["unseen characters in code", "`a\u{E0041}`", "a⟨U+E0041⟩"],
    ["unseen characters in a block of code", "```\na\u2062\n```", "a⟨U+2062⟩"],
    ["unseen characters in an element", "<i\u{E0041}>", "⟨U+E0041⟩"],
    ["a long text's", `${"word ".repeat(6000)}`.replace(/^/, "\u{E0041}"), "⟨U+E0041⟩"],
  ])("%s", (_, text, shows) => {
    expect(seen(text)).toContain(shows);
  });

  it("numbers a list as it was written", () => {
    expect(html("1. a\n5. b")).toContain('<li value="5">');
  });

  it("leaves pictures and scripts that need joiners as they are", () => {
    for (const text of ["❤️ ☺️", "👩‍👩‍👧", "👩🏽‍💻", "می‌خواهم", "क्‍ष", "naïve — “quoted” 日本語 ٣"]) expect(seen(text).trim()).toBe(text);
    expect(seen("a\u200Db")).toContain("⟨U+200D⟩");
    expect(seen("a\uFE0F")).toContain("⟨U+FE0F⟩");
  });
});
