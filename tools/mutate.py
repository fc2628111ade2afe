"""Mutation testing of the KUEL package (`make mutants`): the changes of the code that no test notices.

mutmut makes the mutants, all of them in one copy of the checkout in `mutants/`, and keeps what became of each, so that
`mutmut show` and `mutmut browse` know. Trying them is done here: pytest collects once, every mutant is a fork of that
process and runs the tests that reach its function, quick ones first, until one fails. That takes a fifth of a second a
mutant where a pytest of its own takes more than one.

    python tools/mutate.py [NAME...]    try what has no result yet (of these functions: `moves._legal`)
    python tools/mutate.py --again ...  try those as well that were left, after tests were added
    python tools/mutate.py --list       no trying: what is left, as a table and as differences

mutmut changes functions alone. So that the numbers of the rules are tried as well, every constant of the package that
is a whole number or a span of time is made one greater, in all modules that know it by its name.
"""

import gc
import json
import os
import re
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from datetime import timedelta
from io import StringIO
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import mutmut.__main__ as tool
import pytest
from mutmut.configuration import config
from mutmut.mutation import trampoline
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.utils.format_utils import mangled_name_from_mutant_name

SURVIVED, KILLED, NO_TESTS, TIMEOUT = 0, 1, 33, 36  # mutmut's numbers
PACKAGE = "league.games.kuel."
ALL_FAIL = "all fail"
SWEEP = "tests/mutants/kuel.py"
GIGABYTES = 4
SAVE_EVERY = 50
PLAYERS = ("bots.", "choices.", "lookahead.")
ONLY = {  # slow tests, and the modules that they are about
    "tests/games/kuel/test_bots.py": PLAYERS,
    f"{SWEEP}::test_bots": PLAYERS,
    f"{SWEEP}::test_what_is_certain": ("rehearsal.",),
    "tests/games/kuel/test_board.py::test_no_value_of_any_type": ("board.", "board_faults."),
}
LEFT = Path("mutants") / "survivors.txt"
CONSTANTS = Path("mutants") / "constants.json"
Mutants = dict[str, FunctionType]
SWITCHES: list[tuple[FunctionType, Mutants]] = []


class Forks:
    """A pytest plug-in in the place of the usual loop over the tests."""

    def __init__(self, files: dict[str, SourceFileMutationData], names: Sequence[str], *, some: bool) -> None:
        self.files, self.names, self.some = files, names, some
        self.took: dict[pytest.Item, float] = {}
        self.reached: defaultdict[str, list[tuple[float, pytest.Item]]] = defaultdict(list)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """First the code as it is, to see what reaches what and how fast; then mutant by mutant."""
        if session.testsfailed:
            raise session.Interrupted("the tests can't be collected")
        self._walk(session.items)
        if _in_fork(ALL_FAIL, session.items[:1], 60)[0] == SURVIVED:
            raise session.Failed("a function that always fails was not noticed")
        gc.collect()
        gc.freeze()
        began = time.monotonic()
        for done, name in enumerate(self.names, start=1):
            self._try(name)
            if done % SAVE_EVERY == 0 or done == len(self.names):
                self._save()
                speed = done / (time.monotonic() - began)
                print(f"{done} of {len(self.names)}, {speed:.1f} a second", file=sys.__stderr__, flush=True)
        if not self.some:
            self._try_constants(session.items)
        return True

    def _try_constants(self, items: Sequence[pytest.Item]) -> None:
        quick = [item for _, item in sorted(((self.took[item], item) for item in items), key=lambda test: test[0])]
        left = [name for name in constants() if _in_fork(name, quick, 600)[0] == SURVIVED]
        Path("..", CONSTANTS).write_text(json.dumps({"all": len(constants()), "left": left}), encoding="utf-8")

    def _walk(self, items: Sequence[pytest.Item]) -> None:
        functions = {original.__code__: _key(original, mutants) for original, mutants in SWITCHES}
        hits: set[str] = set()

        def called(frame: FrameType, _: str, __: Any) -> None:
            if frame.f_code in functions:
                hits.add(functions[frame.f_code])

        _run(items[0])  # what is loaded once
        for item in items:
            hits.clear()
            began = time.process_time()
            sys.setprofile(called)
            _run(item)
            sys.setprofile(None)
            took = self.took[item] = time.process_time() - began
            for function in hits:
                if _is_about(item, function) and (took < 0.03 or not os.environ.get("QUICK")):
                    self.reached[function].append((took, item))
        for tests in self.reached.values():
            tests.sort(key=lambda test: test[0])

    def _try(self, name: str) -> None:
        tests = self.reached[mangled_name_from_mutant_name(name)]
        took = sum(seconds for seconds, _ in tests)
        result, killer = _in_fork(name, [item for _, item in tests], 5 + 5 * took) if tests else (NO_TESTS, 0)
        self._file(name).exit_code_by_key[name] = result
        if killer:  # it may well notice the function's next mutant too
            tests.insert(0, tests.pop(killer))

    def _file(self, name: str) -> SourceFileMutationData:
        return self.files[name.rpartition(".")[0]]

    def _save(self) -> None:
        for file in self.files.values():
            file.meta_path = Path("..") / "mutants" / (str(file.path) + ".meta")
            file.save()


def _original(mutants: Mutants, **_: bool) -> Callable[[FunctionType], FunctionType]:
    """In the place of mutmut's decorator, whose wrappers ask at every call which mutant it is: only takes note."""

    def noted(original: FunctionType) -> FunctionType:
        SWITCHES.append((original, mutants))
        return original

    return noted


def _key(original: FunctionType, mutants: Mutants) -> str:
    some = next(name for name in mutants if name != "_mutmut_orig")
    return str(mangled_name_from_mutant_name(f"{original.__module__}.{some}"))


def _switch(name: str) -> None:
    """From here on the function is its mutant; every function a failing one to see whether that is noticed at all."""
    module, _, mutant = name.rpartition(".")
    if name in constants():
        _raise(name.rpartition(".")[2], constants()[name])
    for original, mutants in SWITCHES:
        if name == ALL_FAIL and not original.__closure__:
            original.__code__ = _fail.__code__
        elif original.__module__ == module and mutant in mutants:
            code = mutants[mutant]
            original.__code__, original.__defaults__ = code.__code__, code.__defaults__
            original.__kwdefaults__ = code.__kwdefaults__


def _modules() -> list[ModuleType]:
    return [module for name, module in sorted(sys.modules.items()) if name.startswith(PACKAGE)]


def constants() -> dict[str, Any]:
    """Every constant that can be one more, by its name in the module that has it first."""
    found: dict[str, Any] = {}
    for module in _modules():
        for name, value in vars(module).items():
            number = isinstance(value, int | timedelta) and not isinstance(value, bool)
            again = any(known.endswith(f".{name}") and found[known] == value for known in found)
            if name.isupper() and number and not again:
                found[f"{module.__name__}.{name}"] = value
    return found


def _raise(name: str, value: Any) -> None:
    more = timedelta(days=1) if isinstance(value, timedelta) else 1
    for module in _modules():
        if vars(module).get(name) == value:
            setattr(module, name, value + more)


def _fail(*_: Any, **__: Any) -> None:
    raise AssertionError


def _is_about(item: pytest.Item, function: str) -> bool:
    """Whether the test is tried on the function's mutants; most are on all that they reach."""
    modules = next((about for start, about in ONLY.items() if item.nodeid.startswith(start)), ("",))
    return function.removeprefix(PACKAGE).startswith(modules)


def _run(item: pytest.Item) -> None:
    """One test; a failure is its exception."""
    setup = item.session._setupstate  # noqa: SLF001  # as pytest's own loop does
    setup.setup(item)
    item.runtest()
    setup.teardown_exact(None)


def _in_fork(name: str, items: Sequence[pytest.Item], seconds: float) -> tuple[int, int]:
    """What becomes of a mutant, and the place of the test that noticed it."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        _child(name, items, seconds, tell)
    os.close(tell)
    _, status = os.waitpid(child, 0)
    with os.fdopen(told, "rb") as pipe:
        killer = int(pipe.read() or 0)
    if os.WIFSIGNALED(status):
        return (TIMEOUT if os.WTERMSIG(status) == signal.SIGPROF else KILLED), killer
    return os.WEXITSTATUS(status), killer


def _child(name: str, items: Sequence[pytest.Item], seconds: float, tell: int) -> None:
    gc.disable()
    _switch(name)
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    for place, item in enumerate(items):
        try:
            _run(item)
        except BaseException:  # noqa: BLE001  # whatever it is, the mutant was noticed
            os.write(tell, str(place).encode())
            os._exit(KILLED)
    os._exit(SURVIVED)


def generate() -> dict[str, SourceFileMutationData]:
    """The mutants in `mutants/`, with the results of functions that haven't changed; by module."""
    trampoline.wrap_in_trampoline = _original
    Path("mutants").mkdir(exist_ok=True)
    tool.copy_src_dir()
    tool.copy_also_copy_files()
    tool.setup_source_paths()
    tool.create_mutants(1)
    files = {}
    for path in tool.walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        if data.exit_code_by_key:
            files[next(iter(data.exit_code_by_key)).rpartition(".")[0]] = data
    return files


def wanted(files: dict[str, SourceFileMutationData], names: Sequence[str], *, again: bool) -> list[str]:
    """The mutants to try: those without a result, on demand also those that nothing noticed."""
    results = {name: result for file in files.values() for name, result in file.exit_code_by_key.items()}
    chosen = (None, SURVIVED, NO_TESTS) if again else (None,)
    return [
        name
        for name, result in results.items()
        if result in chosen and (not names or any(plain(name).startswith(n) for n in names))
    ]


def plain(name: str) -> str:
    """`league.games.kuel.moves.x__legal__mutmut_3` as `moves._legal`."""
    module, _, function = mangled_name_from_mutant_name(name).removeprefix(PACKAGE).rpartition(".")
    return f"{module}.{function.removeprefix('x_').removeprefix('xǁ').replace('ǁ', '.')}"


def tell(files: dict[str, SourceFileMutationData]) -> None:
    """A line a file to stdout, and every mutant that is left with its difference to `mutants/survivors.txt`."""
    total: Counter[str] = Counter()
    lines: list[str] = []
    for module, file in sorted(files.items()):
        results = file.exit_code_by_key
        left = [name for name, result in results.items() if result in {SURVIVED, NO_TESTS}]
        untried = sum(result is None for result in results.values())
        total.update(all=len(results), left=len(left), untried=untried)
        told = f"{module.removeprefix(PACKAGE):14} {len(results):5} mutants, {len(left):4} left"
        print(told + (f", {untried} not tried yet" if untried else ""))
        source = Path(file.path).read_text(encoding="utf-8").splitlines()
        lines += [line for name in left for line in difference(name, file, source)]
    if CONSTANTS.exists():
        tried = json.loads(CONSTANTS.read_text(encoding="utf-8"))
        print(f"{'constants':14} {tried['all']:5} mutants, {len(tried['left']):4} left, counted apart")
        lines += [f"{name} is one more" for name in tried["left"]]
    LEFT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    share = 100 * total["left"] / max(total["all"] - total["untried"], 1)
    print(f"{'in all':14} {total['all']:5} mutants, {total['left']:4} left: {share:.2f} %. They are in {LEFT}.")


def difference(name: str, file: SourceFileMutationData, source: Sequence[str]) -> Iterator[str]:
    """One mutant that is left: where, and what was changed."""
    shown = get_diff_for_mutant(name, path=file.path)
    changed = [line for line in shown.splitlines() if re.match(r"[+-](?![+-])", line)]
    first = next((line[1:] for line in changed if line.startswith("-")), "")
    places = [number for number, line in enumerate(source, start=1) if line == first]
    none = ", no test reaches it" if file.exit_code_by_key[name] == NO_TESTS else ""
    yield f"{file.path}:{'/'.join(map(str, places)) or '?'}  {name.removeprefix(PACKAGE)}{none}"
    yield from changed
    yield ""


def main(args: Sequence[str]) -> int:
    """What the module's docstring says."""
    with redirect_stdout(StringIO()):  # it lists every file it copies
        files = generate()
    some = [arg for arg in args if not arg.startswith("-")]
    names = wanted(files, some, again="--again" in args)
    code = 0
    if "--list" not in args and names:
        os.environ["HYPOTHESIS_PROFILE"] = "mutants"
        os.environ["PY_IGNORE_IMPORTMISMATCH"] = "1"
        options: list[Any] = [*config().pytest_add_cli_args_test_selection, *config().pytest_add_cli_args]
        os.chdir("mutants")
        code = int(
            pytest.main(
                ["--rootdir=.", "-q", "--assert=plain", *options], plugins=[Forks(files, names, some=bool(some))]
            )
        )
        os.chdir("..")
    tell(files)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
