"""drawn.py: random objects that follow a pattern, and change a little or much from one draw to the next.

A pattern is a value of JSON with choices in it. A member whose name ends in `?` may be left out. In texts, `{name}` is the
object's name, and so are the other words that a Life is given.
"""

import random


class OneOf:
    """One of the patterns."""

    def __init__(self, *choices):
        self.choices = choices


class Seldom(OneOf):
    """The first pattern, and seldom another: for fields that may not change, or whose change is refused."""


class Some:
    """A list of some of the patterns, in any order."""

    def __init__(self, *items, least=0):
        self.items, self.least = items, least


class Life:
    """One object: each draw repeats the last one, but for the choices that `change` forgets."""

    def __init__(self, source, pattern, **words):
        self.source, self.pattern, self.words = source, pattern, words
        self.seeds = {}

    def change(self, share):
        """Forgets about this share of all choices."""
        self.seeds = {path: seed for path, seed in self.seeds.items() if self.source.random() >= share}

    def draw(self):
        return self._draw(self.pattern, ())

    def _dice(self, path):
        """The same dice each time that a choice is made, until it is forgotten."""
        return random.Random(self.seeds.setdefault(path, self.source.random()))

    def _draw(self, pattern, path):
        if isinstance(pattern, OneOf):
            return self._draw_one(pattern, path)
        if isinstance(pattern, Some):
            return self._draw_some(pattern, path)
        if isinstance(pattern, dict):
            return {name.removesuffix("?"): self._draw(below, (*path, name)) for name, below in pattern.items()
                    if not name.endswith("?") or self._dice((*path, name, "is there")).random() < 0.45}
        if isinstance(pattern, (list, tuple)):
            return [self._draw(below, (*path, index)) for index, below in enumerate(pattern)]
        return self._worded(pattern) if isinstance(pattern, str) else pattern

    def _draw_one(self, pattern, path):
        dice = self._dice(path)
        is_first = isinstance(pattern, Seldom) and dice.random() < 0.95
        index = 0 if is_first else dice.randrange(len(pattern.choices))
        return self._draw(pattern.choices[index], (*path, index))

    def _draw_some(self, pattern, path):
        """Which items there are and their order are two choices."""
        count = len(pattern.items)
        dice = self._dice((*path, "which"))
        chosen = set(dice.sample(range(count), dice.randint(pattern.least, count)))
        order = self._dice((*path, "order")).sample(range(count), count)
        return [self._draw(pattern.items[index], (*path, index)) for index in order if index in chosen]

    def _worded(self, text):
        for word, value in self.words.items():
            text = text.replace("{" + word + "}", value)
        return text
