"""`report --format html`: one file that stands alone. Opened in a headless Chromium where there is one."""
import base64
import hashlib
import html
import html.parser
import re
import struct
import unittest
import zlib

import browser
import harness

REPORT = ["report", "--workload", "llama70b", "--format", "html"]
CUDA = "#include <cuda_runtime.h>\n__global__ void f(float *x) { asm volatile(\"mov.u32 %0, %laneid;\"); x[0] = __shfl_sync(0xffffffff, x[0], 0); }\n"

ALL = ["cost", "pareto", "break-even", "tornado", "prices", "migration"]

# Every canvas has ink of more than one colour.
DRAWN = """[...document.querySelectorAll('canvas')].map(c => {
  const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Set();
  for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 200) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
  return seen.size; })"""
# What is wider than the window, or than its own box, without a region to scroll in.
SPILLS = """[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, .plot, .unseen, script, svg')
  && (e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' && e.clientWidth > 0)).map(e => e.outerHTML.slice(0, 80))"""
# Text whose contrast with what is behind it is under 4.5 (WCAG AA).
FAINT = """(() => {
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  return [...document.querySelectorAll('body *')].filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && !e.closest('script')).map(e => {
    const a = light(getComputedStyle(e).color), b = light(behind(e)); return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.tagName, e.textContent.slice(0, 40)]; }).filter(x => x[0] < 4.5); })()"""


class Tables(html.parser.HTMLParser):
    """All tables of a page as lists of rows of texts, and the text of each script."""
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tables, self.scripts, self.links, self.tags, self.cell, self.script = [], [], [], [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.cell = ""
        elif tag == "script":
            self.script = ""
        elif tag == "a":
            self.links.append(dict(attrs)["href"])

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append(self.cell)
            self.cell = None
        elif tag == "script":
            self.scripts.append(self.script)
            self.script = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data
        if self.script is not None:
            self.script += data


def md_tables(text):
    tables = [[]]
    for line in text.splitlines():
        if line.startswith("|"):
            if not line.startswith("|---"):
                tables[-1].append([re.sub(r"\\(.)", r"\1", c.strip()) for c in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif tables[-1]:
            tables.append([])
    return [t for t in tables if t]


def colours(png):
    """How many colours a PNG of 8-bit RGB(A) has, by every 97th pixel of unfiltered bytes: enough to tell a page from a blank."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    data, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at:at + 8])
        if name == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    raw = zlib.decompress(data)
    step = {2: 3, 6: 4}[kind]
    return width, height, len({raw[i:i + step] for i in range(1, len(raw) - step, 97 * step)}) if depth == 8 else 0


class Html(harness.Case):
    def page(self, *args, code=0):
        out, _ = self.exits(code, *REPORT, *args)
        return out

    def test_stands_alone(self):
        text = self.page()
        page = Tables(text)
        for tag, attrs in page.tags:
            self.assertNotIn(tag, ("img", "link", "iframe", "object", "embed", "base", "form", "input"))
            self.assertFalse([a for a in attrs if a.startswith("on") or a in ("src", "style")], (tag, attrs))
        policy = dict(next(a for t, a in page.tags if t == "meta" and a.get("http-equiv")))["content"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        for script in page.scripts[1:]:
            self.assertIn(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(), policy)
        style = re.search(r"<style>(.*?)</style>", text, re.S).group(1)
        self.assertIn(base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(), policy)
        self.assertIn("Released under the MIT License", text)
        for link in page.links:
            self.assertRegex(link, r"^https?://[\w.-]+/")

    def test_the_same_numbers_as_in_text_and_json(self):
        page = Tables(self.page())
        cells = [row for table in page.tables for row in table]
        for row in (row for table in md_tables(self.ok("report", "--workload", "llama70b", "--format", "md")) for row in table[1:]):
            self.assertIn(row, cells)
        figures = {f["id"]: f for f in harness.parse_json('{"x":' + page.scripts[0] + "}")["x"]}
        # A bar a line of the ranked table, at its cheapest seller.
        bars = list(zip(*(figures["cost"][key] for key in ("value", "low", "high"))))
        everything = self.json("report", "--workload", "llama70b", "--top", "500")["options"]
        costs = [tuple(o["output_usd_per_mtok"][key] for key in ("value", "low", "high")) for o in everything]
        self.assertEqual(bars[0], costs[0])
        self.assertEqual(bars, sorted(bars))
        self.assertLessEqual(set(bars), set(costs))
        for vendor in ("nvidia", "amd"):
            self.assertGreaterEqual(len({label.split(" x ")[1].split(",")[0] for label, v in zip(figures["cost"]["labels"], figures["cost"]["vendors"]) if v == vendor}), 3)
        lanes = self.json("report", "--workload", "llama70b", "--current", "h100-sxm5-80gb@3.5")
        moved = Tables(self.page("--current", "h100-sxm5-80gb@3.5"))
        shown = {f["id"]: f for f in harness.parse_json('{"x":' + moved.scripts[0] + "}")["x"]}
        ends = [(f["assumption"], f["result_at_low"], f["result_at_high"]) for f in lanes["sensitivity"] if None not in (f["result_at_low"], f["result_at_high"])][:12]
        self.assertEqual(list(zip(shown["tornado"]["labels"], shown["tornado"]["at_low"], shown["tornado"]["at_high"])), ends)
        self.assertGreater(len(ends), 1)
        front = self.json("report", "--workload", "llama70b", "--pareto", "--top", "60")["options"]
        self.assertEqual([(p["x"], p["y"]) for p in figures["pareto"]["points"]], [(o["tpot_ms"]["value"], o["output_usd_per_mtok"]["value"]) for o in front])
        for table in page.tables:
            self.assertEqual({len(row) for row in table}, {len(table[0])})

    def figures(self, *args):
        page = Tables(self.page(*args))
        return {f["id"]: f for f in harness.parse_json('{"x":' + page.scripts[0] + "}")["x"]}, page

    def test_a_mark_stands_where_a_price_was_seen(self):
        figures, page = self.figures("--current", "8xh100-sxm5-80gb@2.90")
        prices = figures["prices"]
        best = self.json("report", "--workload", "llama70b", "--current", "8xh100-sxm5-80gb@2.90")["best"]
        self.assertEqual(len(prices["series"]), 3)
        for vendor, series in zip(("nvidia", "amd"), prices["series"]):
            self.assertEqual(series["vendor"], vendor)
            sightings = {x[:10] for o in self.json("prices", "history", best[vendor]["gpu"])["observations"] for x in (o["first_seen_at"], o["last_seen_at"]) if x}
            marked = {day for day, seen in zip(prices["labels"], series["seen"]) if seen}
            self.assertTrue(marked)
            self.assertEqual([day for day in marked if not any(day.startswith(x) for x in sightings)], [])  # some are known to the month
            self.assertLess(len(marked), len(prices["labels"]) / 2)
        paid = prices["series"][2]
        self.assertEqual([(v, seen) for v, seen in zip(paid["value"], paid["seen"]) if v is not None or seen], [(2.9, True)])
        days = next(t for t in page.tables if t[0][0] == "Seen")
        self.assertEqual([row[0] for row in days[1:]], [day for i, day in enumerate(prices["labels"]) if any(x["seen"][i] for x in prices["series"])])

    def test_what_runs_today_is_in_the_charts(self):
        figures, page = self.figures("--current", "8xh100-sxm5-80gb@3.5")
        self.assertEqual(sum("what runs today" in label for label in figures["cost"]["labels"]), 1)
        self.assertEqual([p["label"].split(", ")[0] for p in figures["pareto"]["points"] if p["today"]], ["NVIDIA 8 x h100-sxm5-80gb"])
        spoken = {re.match("[A-Z][a-z]+", a["aria-label"]).group(): a["aria-label"] for t, a in page.tags if t == "canvas"}
        self.assertLessEqual({"Bars", "Scatter", "Tornado", "Lines"}, set(spoken))
        for words in spoken.values():
            self.assertRegex(words, r"; .*\d|: .*\d")
        self.assertRegex(spoken["Bars"], r"what runs today \d[\d.]* \([\d.]+ to [\d.]+\)")
        self.assertIn("noscript", [t for t, _ in page.tags])

    def test_all_that_the_verdict_says_is_on_the_page(self):
        words = ("--current", "8xh100-sxm5-80gb@2.90", "--onprem")
        answer, text = self.json("report", "--workload", "llama70b", *words), html.unescape(self.page(*words))
        for sentence in (answer["verdict"]["text"], answer["verdict"]["like_for_like"]["text"], answer["verdict"]["own"]["text"], answer["verdict"]["next_step"]):
            self.assertIn(sentence, text)
        for vendor in ("nvidia", "amd"):
            self.assertIn(answer["best"][vendor]["nearest_measured"]["id"], text)
        self.assertIn("2026-11-27, gpuadvise", text)
        answer = self.json("report", "--workload", "llama70b", "--max-age", "30", code=3)
        text = html.unescape(self.page("--max-age", "30", code=3))
        self.assertIn("<strong>Not known</strong>", text)
        self.assertIn(answer["verdict"]["unknown_because"], text)

    def test_every_kind_of_answer_is_a_page(self):
        for code, args in ((3, ["--max-price", "0.001"]), (4, ["--fail-over-usd-per-mtok", "0.000001"]), (0, ["--vendor", "amd"]), (0, ["--explain"])):
            text = self.page(*args, code=code)
            self.assertTrue(text.startswith("<!DOCTYPE html>") and text.endswith("</html>\n"))
            self.assertEqual(text.count("<section"), text.count("</section>"))
        for workload in harness.sampled(self.json("workloads")["workloads"], 8):
            code, text, _ = self.run_tool("report", "--workload", workload["workload_id"], "--format", "html")
            self.assertIn(code, (0, 3), workload["workload_id"])
            self.assertEqual(text.count("<figure"), text.count("</figure>"))
            self.assertNotIn(">nan<", text.lower())
        self.exits(2, "gpus", "--format", "html")


@unittest.skipUnless(browser.CHROMIUM, "no Chromium here (Debian: chromium)")
@harness.once
class InBrowser(harness.Case):
    def file(self, *args):
        path = self.home + "/report.html"
        self.exits(0, *REPORT, *args, "-o", path)
        return path

    def check(self, page, figures):
        self.assertEqual(page.problems, [])
        self.assertEqual(page.requests, [])
        drawn = page.value(DRAWN)
        self.assertEqual(page.value("[...document.querySelectorAll('figure')].map(f => f.id)"), figures)
        self.assertEqual(len(drawn), page.value("document.querySelectorAll('figure').length"))
        for colors in drawn:
            self.assertGreater(colors, 3)
        self.assertEqual(page.value("document.documentElement.scrollWidth <= innerWidth"), True)
        self.assertEqual(page.value(SPILLS), [])
        self.assertEqual(page.value(FAINT), [])
        width, height, colors = colours(page.screenshot())
        self.assertEqual(width, page.width)
        self.assertGreater(height, 1500)
        self.assertGreater(colors, 50)

    def test_wide_narrow_light_dark(self):
        self.write("code/a.cu", CUDA)
        path = self.file("--source", self.home + "/code", "--engineer-day-usd", "900", "--current", "h100-sxm5-80gb@3.5")
        with browser.Page(path) as page:
            self.check(page, ALL)
            pdf = page.pdf()
            self.assertTrue(pdf.startswith(b"%PDF") and len(pdf) > 50000)
            self.assertEqual(page.value("document.querySelectorAll('details[open]').length"), 0)
            unnamed = "[...document.querySelectorAll('canvas, [role=region], progress')].filter(e => !(e.getAttribute('aria-label') || '').trim()).length"
            self.assertEqual(page.value(unnamed), 0)
            # Everything that scrolls or opens can be reached with Tab.
            self.assertEqual(page.value("[...document.querySelectorAll('.scroll, summary, canvas, a')].every(e => e.tabIndex >= 0)"), True)
        with browser.Page(path, width=1280, dark=True) as page:
            self.check(page, ALL)
        with browser.Page(path, width=400, height=800) as page:
            self.check(page, ALL)

    def test_vendors_differ_without_colour(self):
        light = """(name => { const d = document.createElement('i'); d.style.color = `var(--${name})`; document.body.append(d); const c = getComputedStyle(d).color.match(/[\\d.]+/g).map(x => x / 255)
          .map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); d.remove(); return .2126 * c[0] + .7152 * c[1] + .0722 * c[2]; })"""
        path = self.file()
        for dark in (False, True):
            with browser.Page(path, dark=dark) as page:
                for kind, least in (("", 2), ("-soft", 1.4)):
                    a, b = sorted(page.value(f"{light}('{vendor}{kind}')") for vendor in ("nvidia", "amd"))
                    self.assertGreater((b + .05) / (a + .05), least, (dark, kind))

    def test_two_charts_share_a_page_of_paper(self):
        with browser.Page(self.file("--current", "8xh100-sxm5-80gb@3.5")) as page:
            page.call("Emulation.setEmulatedMedia", media="print")
            page.call("Emulation.setDeviceMetricsOverride", width=688, height=1017, deviceScaleFactor=1, mobile=False)  # A4 less its margins
            page.value("dispatchEvent(new Event('beforeprint'))")
            for height, figure, canvas in page.value("[...document.querySelectorAll('figure')].map(f => [f.offsetHeight, f.offsetWidth, f.querySelector('canvas').offsetWidth])"):
                self.assertLess(height, 1017 / 2 - 12)
                self.assertGreater(canvas, figure * 0.9)

    def test_rows_stay_low_on_a_phone(self):
        with browser.Page(self.file("--current", "8xh100-sxm5-80gb@3.5", "--onprem"), width=400, height=800) as page:
            self.assertEqual(page.value("[...document.querySelectorAll('section tr')].map(r => [r.offsetHeight, r.textContent]).filter(x => x[0] > 170)"), [])
            # Nothing has to be pushed aside: no row, cell or region is wider than the window.
            page.value("document.querySelectorAll('details').forEach(d => d.open = true)")
            self.assertEqual(page.value("[...document.querySelectorAll('.scroll, .scroll *')].filter(e => !e.closest('thead') && e.getBoundingClientRect().right > 400).map(e => e.outerHTML.slice(0, 80))"), [])
            # Each figure still says what it is.
            title = "getComputedStyle(document.querySelector('section tbody td.n[data-title]'), '::before').content"
            self.assertRegex(page.value(title), '"[^"]+')

    def test_without_scripts(self):
        with browser.Page(self.file(), scripts=False) as page:
            self.assertEqual(page.problems, [])
            visible = "[...document.querySelectorAll('{}')].filter(e => e.checkVisibility()).length"
            self.assertEqual(page.value(visible.format("canvas")), 0)
            self.assertEqual(page.value(visible.format("figure table")), page.value("document.querySelectorAll('figure').length"))

    def test_a_long_name_leaves_room_for_the_rest(self):
        stack = self.write("long.stack", "frameworks = vllm, " + "a" * 80 + "\n")
        with browser.Page(self.file("--stack", stack), width=1280) as page:
            self.check(page, ["cost", "pareto", "break-even", "tornado", "prices", "migration"])
            wide = "[...document.querySelectorAll('tbody th')].filter(e => e.textContent.includes('a'.repeat(80))).map(e => e.offsetWidth / e.closest('table').offsetWidth)"
            shares = page.value(wide)
            self.assertTrue(shares)
            self.assertLess(max(shares), 0.5)

    def test_hostile_names_are_inert(self):
        evil = "</script><script>window.hit=1</script><img src=x onerror=window.hit=1>\"' onload=\"window.hit=1\u202e\u05d0\u05d1"
        folder = self.home + "/" + evil.replace("/", "\u2028")
        self.write(evil.replace("/", "\u2028") + "/a.cu", CUDA)
        prices = "provider,instance,region,gpu,gpu_count,price_usd_per_hour,pricing_model,seen_at\n" + "".join(
            f'evil,"{evil.replace(chr(34), chr(34) * 2)}","<b>{gpu}</b>",{gpu},8,{price},on-demand,2026-11-26\n' for gpu, price in (("mi300x", 11), ("h100-sxm5-80gb", 12)))
        self.ok("prices", "import", self.write("evil.csv", prices))
        path = self.file("--source", folder, "--current", "h100-sxm5-80gb@3.5")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        self.assertIn("&lt;script&gt;", text)
        self.assertNotIn("<img", text)
        self.assertNotIn("\u202e", text)
        with browser.Page(path) as page:
            self.assertEqual(page.value("window.hit === undefined"), True)
            self.check(page, ALL)
            self.assertIn("evil", page.value("document.body.innerText"))


if __name__ == "__main__":
    harness.main()
