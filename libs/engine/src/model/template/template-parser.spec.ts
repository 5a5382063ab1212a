import { renderBounded } from './bounded-interpreter.js';
import { parseTemplate } from './template-parser.js';

const render = (text: string, variables: Record<string, unknown> = {}) => renderBounded(parseTemplate(text), variables);

/** What Jinja 3.1 for Python renders, except that a list is printed as one. */
const CASES: [string, string, Record<string, unknown>?][] = [
  ["{% set x = ('a', 'b') %}{{ x[1] }}", 'b'],
  ["{{ 'b' in ('a', 'b') }}", 'true'],
  ["{{ 'ab' in ('abc',) }}", 'false'],
  ["{% for x in ('a',) %}{{ x }}{% endfor %}", 'a'],
  ["{% for a, b in [('x', 'y'), ('z', 'w')] %}{{ a }}{{ b }}{% endfor %}", 'xyzw'],
  ['{{ () | length }}', '0'],
  ["{{ (('a', 'b',) | join(',')) }}{{ (1 + 2) * 2 }}", 'a,b6'],
  ['{{ namespace(a=1,).a }}', '1'],
  ["{{ '<a href=\"x\">' | e }}{{ '&' | escape }}", '&lt;a href=&#34;x&#34;&gt;&amp;'],
  ["{{ '%s: %05.1f, %d%%' | format('a', 2.25, 7) }}", 'a: 002.3, 7%'],
  ["{{ '%-4s|%4s|' | format('a', 'b') }}", 'a   |   b|'],
  ['{{ [1, 2, 3] | sum }}', '6'],
  ["{{ xs | sum(attribute='n') }}", '3', { xs: [{ n: 1 }, { n: 2 }] }],
  ['{% for row in [1, 2, 3] | batch(2) %}{{ row | join(",") }};{% endfor %}', '1,2;3;'],
  ['{% for row in [1, 2, 3] | batch(2, 0) %}{{ row | join(",") }};{% endfor %}', '1,2;3,0;'],
  ['{{ [3, 1, 2] | min }}{{ [3, 1, 2] | max }}{{ 2.5 | round | int }}', '133'],
  [
    '{% for x in xs recursive %}{{ x.n }}{% if x.c %}({{ loop(x.c) }}){% endif %}{% endfor %}',
    '1(2(3))4',
    { xs: [{ n: 1, c: [{ n: 2, c: [{ n: 3 }] }] }, { n: 4 }] },
  ],
  [
    '{% for x in xs if x.n > 1 recursive %}{{ x.n }}{{ loop(x.c or []) }}{% endfor %}',
    '23',
    { xs: [{ n: 1 }, { n: 2, c: [{ n: 1 }, { n: 3 }] }] },
  ],
  ['{% for x in recursive %}{{ x }}{% endfor %}', 'ab', { recursive: ['a', 'b'] }],
];

describe('parseTemplate', () => {
  it.each(CASES)('renders %s', (text, expected, variables = {}) => {
    expect(render(text, variables)).toBe(expected);
  });

  it('bounds a loop that calls itself for ever', () => {
    expect(() => render('{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}')).toThrow();
  });

  it.each(["{{ 'a' | nonsense }}", '{% for x in (1 %}{% endfor %}', "{{ '%s' | format }}"])('refuses %s', (text) => {
    expect(() => render(text)).toThrow();
  });
});
