/**
 * @typedef {object} Row
 * @property {string} measure
 * @property {number | null} value what Hone does; null: could not be measured, `note` says why
 * @property {string} unit
 * @property {number} [peer] what the peer does, in the same unit
 * @property {string} [peerName]
 * @property {string} [target] as it is written in the table
 * @property {boolean} [isMet] absent: no target
 * @property {string} [note]
 */

const HEAD = ['measure', 'Hone', 'peer', 'ratio', 'target', ''];
const IS_NUMERIC = [false, true, true, true, false, false];

/** The figures of a run, as a table for people or as JSON. */
export class Report {
  /** @type {Row[]} */
  #rows = [];

  /** @param {Row} row */
  add(row) {
    const ratio = row.value !== null && row.peer ? row.value / row.peer : undefined;
    this.#rows.push({ ...row, ratio });
  }

  json() {
    return JSON.stringify({ node: process.version, platform: process.platform, rows: this.#rows }, null, 2);
  }

  table() {
    const cells = [HEAD, ...this.#rows.map(toCells)];
    const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
    const lines = cells.map((row) =>
      row.map((cell, column) => (IS_NUMERIC[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))),
    );
    const notes = this.#rows.filter(({ note }) => note).map(({ measure, note }) => `  ${measure}: ${note}`);
    return [...lines.map((line) => line.join('  ').trimEnd()), ...(notes.length ? ['', ...notes] : [])].join('\n');
  }
}

function toCells({ measure, value, unit, peer, peerName, ratio, target = '', isMet }) {
  return [
    measure,
    value === null ? 'none' : `${format(value)} ${unit}`,
    peer === undefined ? '' : `${format(peer)} ${peerName ?? ''}`.trim(),
    ratio === undefined ? '' : ratio.toFixed(2),
    target,
    isMet === undefined ? '' : isMet ? 'ok' : 'MISS',
  ];
}

/** Three digits are as many as a noisy machine can mean. */
const format = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
