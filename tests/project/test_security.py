"""What `SECURITY.md` promises and no other test proves: nothing is evaluated, fetched, started or written."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import langchain_semantic_xml
from tests.paths import BUNDLE, PACKAGE, ROOT, SOURCES

SECURITY = ROOT / "SECURITY.md"

NETWORK = {
    "asyncio",
    "ftplib",
    "http",
    "httpx",
    "requests",
    "smtplib",
    "socket",
    "socketserver",
    "ssl",
    "urllib",
    "xmlrpc",
}
PROCESSES = {"concurrent", "multiprocessing", "pty", "subprocess"}
EVALUATION = {"code", "codeop", "ctypes", "imp", "importlib", "marshal", "pickle", "runpy", "shelve", "xml", "yaml"}
STARTING = re.compile("exec|fork|popen|posix_spawn|spawn|startfile|system")
LISTS_WITH_GIT = PACKAGE / "_text" / "trees.py"
EVALUATING = {"__import__", "compile", "eval", "exec", "execfile", "input"}


def imports_of(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module != "urllib.parse":  # it only takes addresses apart
            names.add((node.module or "").partition(".")[0])
    return names


def is_os(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "os"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.stem))
def test_no_module_can_reach_the_network_start_a_process_or_evaluate_anything(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    # They read the version of the package, its assets, and grammars from a list of their own.
    imports = (PACKAGE / "__init__.py", PACKAGE / "_view" / "page.py", PACKAGE / "_parts" / "syntax.py")
    allowed = {"importlib"} if path in imports else {"subprocess"} if path == LISTS_WITH_GIT else set()
    assert imports_of(tree) & (NETWORK | PROCESSES | EVALUATION) <= allowed
    of_the_system = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_os(node.value)}
    assert not any(STARTING.match(name) for name in of_the_system)
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert called & EVALUATING == set()


WATCHED = r"""
import json, sys
from langchain_semantic_xml import *

text = open(sys.argv[1], encoding="utf-8", newline="").read()
hostile = '''
<file path="/etc/passwd" src="https://x.example/" href="file:///etc/passwd"><![CDATA[&xxe;]]></file>
<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>
<output command="$(touch /tmp/owned) `id`; __import__('os').system('id')">
{{7*7}} {__class__} %(x)s ${HOME} ~/x \\N{DIGIT ONE} cos\nsystem\n(S'id'\ntR.
</output>
<document index="&xxe;"><source>../../../etc/passwd</source><document_content>x</document_content></document>
'''

def work():
    for given in (text, hostile, text.replace("\n", "\r\n") + hostile):
        for size in (30, 300, 4000):
            splitter = SemanticXmlSplitter(size, size // 5, deterministic_ids=True)
            chunks = splitter.create_documents([given], [{"source": "https://x.example/a.xml"}])
            list(splitter.lazy_split_text(iter(given)))
            show_chunks(chunks, source=given)._repr_html_()
        section_blocks(parse_blocks(given), chunk_size=300)

work()  # what is imported and read once, such as the style of the page, is not the text's doing
events = []
sys.addaudithook(lambda event, arguments: events.append([event, repr(arguments)[:200]]))
work()
seen = list(events)
print(json.dumps(seen))
"""

HARMLESS = re.compile(r"object\.__getattr__|sys\._getframe|sys\.setprofile|gc\.|time\.sleep|builtins\.id")


def test_splitting_and_showing_hostile_text_opens_starts_and_evaluates_nothing() -> None:
    ran = subprocess.run([sys.executable, "-c", WATCHED, BUNDLE], capture_output=True, text=True, check=True)
    events: list[list[str]] = json.loads(ran.stdout)
    assert [event for event in events if not HARMLESS.match(event[0])] == []


def test_the_watch_sees_what_it_watches_for() -> None:
    planted = WATCHED.replace("def work():\n", "def work():\n    eval('1'); open(sys.argv[1]).close()\n")
    ran = subprocess.run([sys.executable, "-c", planted, BUNDLE], capture_output=True, text=True, check=True)
    assert {"compile", "exec", "open"} <= {event for event, _ in json.loads(ran.stdout)}


BILLION = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


def test_entities_that_a_text_declares_are_not_expanded() -> None:
    text = f'<!DOCTYPE l [<!ENTITY l0 "lol">{BILLION}]>\n<file path="&l9;">\n&l9;\n</file>\n'
    [_, block] = langchain_semantic_xml.parse_blocks(text)
    assert block.identity == "&l9;"
    assert block.content == '<file path="&l9;">\n&l9;\n</file>'


def test_the_page_on_security_names_only_tests_that_are_there() -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", SECURITY.read_text(encoding="utf-8"))
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("heading", ["Supported versions", "What is promised", "What is not promised", "How to report"])
def test_the_page_on_security_says_what_whoever_depends_on_the_package_asks(heading: str) -> None:
    assert f"\n## {heading}\n" in SECURITY.read_text(encoding="utf-8")
