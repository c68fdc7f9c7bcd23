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
    expect(made).not.toMatch(/\son\w+=|\sstyle=|\ssrc=/i);
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
