import fc from 'fast-check';

import { StopStrings } from './stop-strings.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

describe('StopStrings', () => {
  it('cuts before the stop string, or after it when it belongs to the answer', () => {
    expect(new StopStrings(['END'], false).push('one END two')).toEqual({ text: 'one ', stop: 'END' });
    expect(new StopStrings(['END'], true).push('one END two')).toEqual({ text: 'one END', stop: 'END' });
  });

  it('holds back what may begin a stop string, and lets it go when it does not', () => {
    const stops = new StopStrings(['END'], false);
    expect(stops.push('one E')).toEqual({ text: 'one ', stop: null });
    expect(stops.push('N')).toEqual({ text: '', stop: null });
    expect(stops.push('E')).toEqual({ text: 'EN', stop: null });
    expect(stops.end()).toBe('E');
  });

  it('ends at the stop string that begins first', () => {
    expect(new StopStrings(['b', 'ab'], false).push('xab')).toEqual({ text: 'x', stop: 'ab' });
  });

  it('finds nothing in text that is not searched', () => {
    const stops = new StopStrings(['ab'], false);
    expect(stops.push('ab a', false)).toEqual({ text: 'ab a', stop: null });
    expect(stops.push('b')).toEqual({ text: 'b', stop: null });
  });

  it('gives the same answer however the text is cut', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é') });
    const stop = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(letters), fc.array(stop, { maxLength: 3 }), (pieces, stops) => {
        const searched = new StopStrings(stops, false);
        let answer = '';
        let ended = false;
        for (const piece of pieces) {
          if (ended) break;
          const released = searched.push(piece);
          answer += released.text;
          ended = released.stop !== null;
        }
        if (!ended) answer += searched.end();
        const text = pieces.join('');
        const ends = stops.map((end) => text.indexOf(end)).filter((at) => at >= 0);
        expect(ended).toBe(ends.length > 0);
        // A longer stop string that begins earlier may be complete only after a shorter one: then that one ends it.
        const prefix = text.startsWith(answer);
        expect(prefix && (ends.length > 0 || answer === text)).toBe(true);
        expect(stops.some((end) => answer.includes(end))).toBe(false);
      }),
    );
  });
});
