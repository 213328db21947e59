"""The mutants of a C source: the same text with one small fault in it.

Works on tokens, so it changes neither comments, texts nor the preprocessor's lines.
"""
import bisect
import collections
import re

TOKEN = re.compile(r"""
    (?P<skip> \s+ | //[^\n]* | /\*.*?\*/ )
  | (?P<text> L?"(?:\\.|[^"\\\n])*" | L?'(?:\\.|[^'\\\n])*' )
  | (?P<name> [A-Za-z_]\w* )
  | (?P<number> \.?\d(?:[eEpP][+-]|[\w.])* )
  | (?P<sign> <<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|. )
""", re.VERBOSE | re.DOTALL)
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)

SWAPPED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "++": "--", "--": "++", "+=": "-=", "-=": "+=",
    "true": "false", "false": "true",
}
# Where the token before it ends an expression, a sign stands between two.
ENDS_EXPRESSION = {")", "]"}
AFTER_EXPRESSION = {";", ",", ")", "]", "}"}
KEYWORDS = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue", "goto", "sizeof",
            "struct", "enum", "union", "const", "static", "typedef", "extern", "inline", "void", "char", "int", "bool",
            "unsigned", "signed", "long", "short", "double", "float", "size_t", "ssize_t", "time_t", "static_assert"}
ENUMERATOR = re.compile(r"[A-Z][A-Z0-9]*_\w+$")
ALLOCATES = re.compile(r"arena_allocate")
PLAIN_INTEGER = re.compile(r"(\d+)([uUlL]*)$")

Token = collections.namedtuple("Token", "kind text start end")

# `before` and `after` are the lines that differ, with single blanks: the key by which a mutant is known again. `put` replaces
# the text between `start` and `end`. `function`: empty outside of any.
Mutant = collections.namedtuple("Mutant", "file line last_line kind before after start end put function")


def tokens_of(source):
    """Tokens with their places; what the preprocessor reads is blank."""
    blank = PREPROCESSOR.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    return [Token(match.lastgroup, match[0], match.start(), match.end())
            for match in TOKEN.finditer(blank) if match.lastgroup != "skip"]


def closing(tokens, opening):
    """Where the bracket is closed that is opened there."""
    pair = {"(": ")", "{": "}", "[": "]"}
    depth = 0
    for index in range(opening, len(tokens)):
        if tokens[index].text == tokens[opening].text:
            depth += 1
        elif tokens[index].text == pair[tokens[opening].text]:
            depth -= 1
            if not depth:
                return index
    raise ValueError("a bracket is left open")


def lesser_or_greater(tokens):
    """Where `a < b ? a : b` compares: of two that are equal either is both."""
    for index, token in enumerate(tokens):
        if token.text not in ("<", "<=", ">", ">="):
            continue
        start = index
        while start and (tokens[start - 1].kind in ("name", "number") or tokens[start - 1].text in ("->", ".")):
            start -= 1
        end = index + 1
        while end < len(tokens) and (tokens[end].kind in ("name", "number") or tokens[end].text in ("->", ".")):
            end += 1
        left = [part.text for part in tokens[start:index] if part.text != "return"]
        right = [part.text for part in tokens[index + 1:end]]
        after = [part.text for part in tokens[end:end + len(left) + len(right) + 3]]
        if left and right and after[-1] in AFTER_EXPRESSION and after[:-1] in (
                ["?", *left, ":", *right], ["?", *right, ":", *left]):
            yield token.start


def signs(tokens):
    """Relational, logical, arithmetic; true and false."""
    either = set(lesser_or_greater(tokens))
    for previous, token in zip(tokens, tokens[1:]):
        if token.start in either:
            continue
        if token.text in SWAPPED and token.kind in ("sign", "name"):
            yield "operator", token.start, token.end, SWAPPED[token.text]
        elif token.text in "+-" and (previous.kind in ("name", "number") and previous.text not in KEYWORDS or
                                     previous.text in ENDS_EXPRESSION):
            yield "operator", token.start, token.end, "-" if token.text == "+" else "+"
        elif token.text == "!":
            yield "negation", token.start, token.end, ""


def successes(tokens):
    """Where functions that return -1 or 0, and no other number, return 0."""
    for start, end, _ in functions(tokens):
        returned = [(sign, number) for word, sign, number in zip(tokens, tokens[1:], tokens[2:])
                    if word.text == "return" and start <= word.start < end]
        zeros = [first.start for first, second in returned if first.text == "0" and second.text == ";"]
        if any(first.text == "-" and second.text == "1" for first, second in returned) and not any(
                first.kind == "number" and first.text != "0" for first, second in returned):
            yield from zeros


def rooms(tokens):
    """Where it is said how much room a declared array has."""
    for index in range(2, len(tokens)):
        before, name = tokens[index - 2:index]
        is_type = before.text == "*" or before.kind == "name" and before.text not in ("return", "case", "else", "do")
        if tokens[index].text != "[" or name.kind != "name" or not is_type:
            continue
        end = index
        while tokens[end].text == "[":
            end = closing(tokens, end) + 1
        yield from (token.start for token in tokens[index:end])


def constants(tokens):
    """One more and one less. The size of an allocation, or of a text to begin with, decides nothing."""
    texts = {number for index, token in enumerate(tokens[:-1]) if token.text == "text_start" or ALLOCATES.match(token.text)
             for number in range(index, closing(tokens, index + 1))}
    no_failures = set(successes(tokens))
    for index, token in enumerate(tokens):
        match = PLAIN_INTEGER.match(token.text)
        if token.kind != "number" or not match or token.start in no_failures:
            continue
        if index in texts:
            continue
        number = int(match[1])
        # The distance of a status or the outcome of a comparison from 0 does not matter; one that is 0 or -1 is negative or
        # not.
        is_negative = tokens[index - 1].text == "-" and tokens[index - 2].text in ("return", "?", ":")
        is_after = [before.text for before in tokens[max(0, index - 4):index]] == ["?", "-", "1", ":"]
        for other in (number - 1,) if is_negative or is_after else (number + 1, number - 1):
            if other >= 0:
                yield "constant", token.start, token.end, f"{other}{match[2]}"


def conditions(tokens):
    """if and while the other way round."""
    for index, token in enumerate(tokens[:-1]):
        if token.text in ("if", "while") and tokens[index + 1].text == "(":
            end = closing(tokens, index + 1)
            yield "condition", tokens[index + 1].end, tokens[end].start, ("!(", ")")


def begins_statement(tokens, index):
    previous = tokens[index - 1]
    if previous.text in (";", "{", "}", "else", "do"):
        return True
    if previous.text == ":":
        return tokens[index - 3].text == "case" or tokens[index - 2].text == "default"
    if previous.text != ")":
        return False
    depth = 0
    for before in range(index - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(tokens[before].text, 0)
        if not depth:
            return tokens[before - 1].text in ("if", "while", "for")
    return False


def is_expression(tokens, index):
    """A call or an assignment, or a way out of a loop; no declaration and no label."""
    token = tokens[index]
    if token.text in ("break", "continue"):
        return True
    if token.text in ("++", "--", "*"):
        return True
    if token.kind != "name" or token.text in KEYWORDS:
        return False
    after = tokens[index + 1].text
    if after == "[" and tokens[index + 2].text == "]":
        return False
    return after in ("(", "=", "->", ".", "[", "++", "--") or len(after) > 1 and after.endswith("=")


def statements(tokens):
    braces = brackets = 0
    for index, token in enumerate(tokens):
        braces += {"{": 1, "}": -1}.get(token.text, 0)
        brackets += {"(": 1, ")": -1}.get(token.text, 0)
        if not braces or brackets or not begins_statement(tokens, index):
            continue
        if token.text == "return" and tokens[index + 1].text == ";" or is_expression(tokens, index):
            end = index
            while tokens[end].text not in (";", "}"):
                end = closing(tokens, end) + 1 if tokens[end].text in "([{" else end + 1
            # Not the members of an initialiser.
            if tokens[end].text == ";":
                yield "deleted", token.start, tokens[end].start, ""


def cases(tokens, source):
    """Two cases of a switch that follow each other, each with the other's label; an enumerator returned for the next."""
    labels = [index for index, token in enumerate(tokens[:-2]) if token.text == "case" and tokens[index + 2].text == ":"]
    for one, other in zip(labels, labels[1:]):
        first, second = tokens[one + 1], tokens[other + 1]
        if other > one + 3:
            between = source[first.end:second.start]
            yield "case", first.start, second.end, second.text + between + first.text
    families = collections.defaultdict(list)
    for token in tokens:
        if token.kind == "name" and ENUMERATOR.match(token.text) and token.text not in families[token.text.split("_")[0]]:
            families[token.text.split("_")[0]].append(token.text)
    for previous, token, after in zip(tokens, tokens[1:], tokens[2:]):
        if token.kind == "name" and ENUMERATOR.match(token.text) and (
                previous.text in ("return", "=", "?", ":") and after.text in (";", ",", ":", "}")):
            family = families[token.text.split("_")[0]]
            if len(family) > 1:
                yield "enumerator", token.start, token.end, family[(family.index(token.text) + 1) % len(family)]


def functions(tokens):
    """(start, end, name) of each body."""
    depth = start = 0
    name = ""
    for previous, token, after in zip(tokens, tokens[1:], tokens[2:]):
        if not depth and token.text == "(" and previous.kind == "name":
            name = previous.text
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        if token.text == "{" and depth == 1:
            start = token.start if previous.text == ")" else None
        if token.text == "}" and not depth and start is not None and after.text != ";":
            yield start, token.end, name
    if tokens and tokens[-1].text == "}" and start is not None:
        yield start, tokens[-1].end, name


def one_line(text):
    return " ".join(text.split())


def mutants_of(file, source):
    tokens = tokens_of(source)
    lines = [0] + [match.end() for match in re.finditer("\n", source)]
    bodies = list(functions(tokens))
    room = set(rooms(tokens))
    for operator in (signs(tokens), constants(tokens), conditions(tokens), statements(tokens), cases(tokens, source)):
        for kind, start, end, put in operator:
            if start in room:
                continue
            put = put[0] + source[start:end] + put[1] if isinstance(put, tuple) else put
            first, last = bisect.bisect(lines, start), bisect.bisect(lines, end)
            begin = lines[first - 1]
            finish = lines[last] if last < len(lines) else len(source)
            function = next((name for body, close, name in bodies if body <= start < close), "")
            yield Mutant(file, first, last, kind, one_line(source[begin:finish]),
                         one_line(source[begin:start] + put + source[end:finish]), start, end, put, function)
