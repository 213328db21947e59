#!/usr/bin/env python3
"""The faults that ./dev mutate puts into the code: which ones, where, and that the list of harmless ones is about code that is there.

    tests/dev/test_mutants.py APPLYGUARD
"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.argv[1:] = []
sys.dont_write_bytecode = True
MUTATE = pathlib.Path(__file__).resolve().parents[1] / "mutate"
sys.path.insert(0, str(MUTATE))

import mutants  # noqa: E402, pylint: disable=wrong-import-position


def runner():
    loader = importlib.machinery.SourceFileLoader("run", str(MUTATE / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
    loader.exec_module(module)
    return module


def faults(body):
    """The lines that the mutants of a function's body put in its place."""
    return {mutant.after for mutant in mutants.mutants_of("x.c", f"int f(int a, char *b)\n{{\n{body}\n}}\n") if mutant.line == 3}


class Mutants(unittest.TestCase):
    def test_comparisons_and_logic(self):
        self.assertLessEqual({"return a <= 2 && b;", "return a < 2 || b;", "return a < 1 && b;", "return a < 3 && b;"},
                             faults("return a < 2 && b;"))

    def test_a_condition_is_negated_as_a_whole(self):
        self.assertIn("if (!(a > 0 && b[0] == ')')) a++;", faults("if (a > 0 && b[0] == ')') a++;"))

    def test_arithmetic_stands_between_two(self):
        """A sign of a number and a pointer are none: they would not compile, or say the same."""
        self.assertEqual({"a = a - 1;", "a = a + 2;", "a = a + 0;", ";"}, faults("a = a + 1;"))
        self.assertEqual({";"}, faults("*b = -a;"))

    def test_a_status_stays_negative(self):
        """Callers ask whether it is."""
        self.assertEqual({"return -0;"}, faults("return -1;"))
        self.assertIn("return a ? -0 : 1;", faults("return a ? -1 : 1;"))
        self.assertNotIn("return a ? -2 : 1;", faults("return a ? -1 : 1;"))
        self.assertIn("return a ? -1 : 0;", faults("return a ? -1 : 1;"))
        self.assertNotIn("return a ? -1 : 2;", faults("return a ? -1 : 1;"))

    def test_a_status_of_0_stays_where_the_others_are_negative(self):
        self.assertNotIn("if (a) return -1; return 1;", faults("if (a) return -1; return 0;"))
        self.assertIn("if (a) return 2; return 1;", faults("if (a) return 2; return 0;"))
        self.assertIn("if (a) return b; return 1;", faults("if (a) return b; return 0;"))

    def test_harmless_ones_are_known_by_their_function(self):
        found = mutants.mutants_of("x.c", "int a[] = {1};\nint f(int a)\n{\n    return a + 1;\n}\nint g(int a)\n{\n    a++;\n}\n")
        self.assertEqual({("", 1), ("f", 4), ("g", 8)}, {(mutant.function, mutant.line) for mutant in found})

    def test_statements_are_deleted_and_declarations_are_not(self):
        self.assertIn(";", faults("free(b);"))
        self.assertEqual(set(), faults("struct s *s = f(b);"))
        self.assertEqual({"while (!(a)) continue;", "while (a) ;"}, faults("while (a) continue;"))

    def test_cases_and_enumerators_change_places(self):
        self.assertIn("switch (a) { case A_TWO: return A_ONE; case A_ONE: return A_TWO; }",
                      faults("switch (a) { case A_ONE: return A_ONE; case A_TWO: return A_TWO; }"))
        self.assertIn("return a ? A_TWO : A_TWO;", faults("return a ? A_ONE : A_TWO;"))

    def test_comments_texts_and_macros_stay(self):
        self.assertEqual(set(), faults('// 1 + 1 == 2'))
        self.assertEqual({";"}, faults('f("1 < 2 && 3");'))
        self.assertEqual(set(), faults("#define TWO (1 + 1)"))

    def test_room_stays(self):
        """It decides nothing: a text grows, and a buffer is checked by the sanitizers."""
        self.assertEqual(set(), faults("struct text text = text_start(b, 64);"))
        self.assertEqual(set(), faults("char room[64];"))
        self.assertEqual(set(), faults("bool room[TOOL_COUNT][LAST + 1];"))
        self.assertEqual(set(), faults("char *room = arena_allocate_array(b, 1, 2);"))

    def test_of_two_that_are_equal_either_is_the_lesser(self):
        self.assertNotIn("return a <= b ? a : b;", faults("return a < b ? a : b;"))
        self.assertNotIn("x = a->n >= 2 ? a->n : 2;", faults("x = a->n > 2 ? a->n : 2;"))
        self.assertIn("return a < b ? a : b - 1;", faults("return a <= b ? a : b - 1;"))
        self.assertIn("return a <= b ? a : c;", faults("return a < b ? a : c;"))

    def test_harmless_ones_are_listed_by_code_that_is_there(self):
        """Or the list would hide the fault of other code."""
        run = runner()
        known = run.equivalents()
        self.assertEqual([], run.stale(known, {file for file, *_ in known}))


if __name__ == "__main__":
    unittest.main()
