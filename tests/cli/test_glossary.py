#!/usr/bin/python3
"""docs/glossary.md: terms in order, each once and in a few sentences, and the options and printed words that it names exist."""
import os
import re
import unittest

import harness

TERMS_MIN, SENTENCES_MAX = 40, 3


class Glossary(harness.Case):
    @harness.once
    def test_terms_stand_once_and_what_they_name_exists(self):
        with open(os.path.join(harness.ROOT, "docs", "glossary.md"), encoding="utf-8") as f:
            entries = re.findall(r"^### (.+)\n((?:(?!### ).*\n)*)", f.read(), re.M)
        terms = [term for term, _ in entries]
        self.assertGreaterEqual(len(terms), TERMS_MIN)
        self.assertEqual(terms, sorted(set(terms), key=str.casefold), "each term once, in order of the alphabet")
        helps = "".join(self.ok(*command, "--help") for command in (["report"], ["estimate"], ["prices", "list"]))
        report = self.ok("report", "--workload", "llama70b")
        for term, body in entries:
            said = re.sub(r"^(Option|Printed): .*\n", "", body, flags=re.M)
            self.assertTrue(1 <= len(re.findall(r"[.;:](?=\s)", said)) and len(re.findall(r"\.(?=\s)", said)) <= SENTENCES_MAX, term)
            for line, text in (("Option", helps), ("Printed", report)):
                for named in re.findall(rf"^{line}: (.*)$", body, re.M):
                    words = re.findall(r"`([^`]+)`", named)
                    self.assertTrue(words, f"{term}: {line} names nothing")
                    for word in words:
                        self.assertRegex(text, rf"(?<![\w-]){re.escape(word)}(?![\w-])", f"{term}: {line}")


if __name__ == "__main__":
    harness.main()
