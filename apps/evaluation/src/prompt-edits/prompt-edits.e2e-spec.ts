import type { JsonObject } from '@hone/contracts';

import { PROJECT } from '../testing/judged-project.fixture.js';
import { edit, EDITS, MAGIC, MESSAGES, PROMPT, PromptEdits, ROWS } from './prompt-edits.fixture.js';

describe('edits of prompts', () => {
  const edits = new PromptEdits();
  beforeAll(() => edits.start());
  beforeEach(() => edits.reset());
  afterAll(() => edits.stop());

  const versions = () =>
    edits.app.sql<{ digest: string; class: string; value: JsonObject }>(
      `SELECT digest, leaf_object_class AS class, val_text::json AS value FROM object_versions WHERE object_id = 'brief'
       ORDER BY version_index`,
    );
  const candidatesOf = (job: { candidates: { dropped: string | null; detail: string | null }[] }) =>
    job.candidates.slice(1).map(({ dropped, detail }) => [dropped, detail]);

  it('store the edit that is better on held-out rows as a version of the prompt, whose labels stay', async () => {
    const [original] = await versions();
    await edits.app.sql(
      `INSERT INTO object_aliases (project_id, object_id, alias, digest, created_at, svc_user_id) VALUES ($1, 'brief', 'production', $2, now(), $3)`,
      [edits.project.rowId, original?.digest, edits.app.writer.id],
    );
    const job = await edits.done();
    const [, stored] = await versions();
    const messages = [{ role: 'system', content: `Answer ${MAGIC}.` }, MESSAGES[1]];
    expect(job).toMatchObject({ status: 'done', error: null, max_evaluations: 60, dropped: { leak: 0, worse: 0 } });
    expect(job.candidates).toEqual([
      { id: 0, parent: null, messages: MESSAGES, rows: 7, mean: expect.any(Number), dropped: null, detail: null },
      { id: 1, parent: 0, messages, rows: 7, mean: 1, dropped: null, detail: null },
    ]);
    expect(job.best).toEqual({
      ...{ candidate: 1, prompt: `hone:///${PROJECT}/object/brief:${stored?.digest}`, rows: job.held_out_rows },
      ...{ original_mean: expect.any(Number), edit_mean: 1 },
    });
    expect(job.best?.original_mean).toBeLessThan(1);
    expect(stored).toMatchObject({ class: 'MessagesPrompt', value: { ...original?.value, messages } });
    expect(await edits.app.sql('SELECT alias, digest FROM object_aliases')).toEqual([
      { alias: 'production', digest: original?.digest },
    ]);
    expect(job.evaluations).toBe(edits.asked('small').length);
    expect(job.cost_usd).toBeCloseTo(0.001 * edits.gateway.asked.length, 9);
    expect(await edits.app.sql(`SELECT FROM prompt_edit_items WHERE result IS NOT NULL AND row_digest <> ''`)).toEqual(
      [],
    );
  });

  it('ask each prompt each row once, as an evaluation would, and show the editor failures of practice rows alone', async () => {
    const job = await edits.done({ parameters: { temperature: 0 } });
    const answers = edits.asked('small');
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.messages))).size).toBe(answers.length);
    expect(answers[0]?.body).toEqual({
      model: 'small',
      temperature: 0,
      seed: 3,
      messages: [MESSAGES[0], { role: 'user', content: expect.stringContaining('capital city') }],
    });
    expect(answers[0]?.metadata.user).toBe('hone.evaluation:brief');
    const practice = new Set(answers.slice(0, 7).map(({ body }) => String(body.messages[1]?.content)));
    const [reflection] = edits.asked('editor');
    const seen = String(reflection?.body.messages[1]?.content);
    expect(seen).toContain('You know all capitals.');
    expect(seen).toMatch(/Answer: I do not know\.\nExpected: city-\d+\nScore: 0\nright: /);
    const shown = ROWS.map(({ question }) => question as string).filter((question) => seen.includes(question));
    expect(shown.length).toBeGreaterThan(0);
    for (const question of shown) {
      expect(practice.has(question)).toBe(true);
      expect(Number(/number (\d+)/.exec(question)?.[1]) % 2).toBe(1);
    }
    expect(job.practice_rows).toBe(7);
  });

  it('drop edits that copy rows or answers, break the template, are there already, or are no better', async () => {
    edits.edits = [
      edit('As: What is the capital city of the wonderful small country, say.'),
      edit('Be brief.', 'Answer.'),
      edit('Be brief.', '{{question}} {{expected}}'),
      edit('Be brief.'),
      'I would rather not.',
      edit('You know all capitals.'),
      edit(`Answer ${MAGIC}.`),
    ];
    const job = await edits.done();
    expect(candidatesOf(job)).toEqual([
      ['leak', 'It has eight words in a row of a practice row that the original does not have.'],
      ['malformed', 'The variable {{question}} is missing.'],
      ['malformed', 'The variable {{expected}} is not one of the original.'],
      ['worse', null],
      ['malformed', 'The answer is no JSON object.'],
      ['repeated', 'The prompt is there already.'],
      [null, null],
    ]);
    expect(job.dropped).toEqual({ leak: 1, malformed: 3, repeated: 1, unanswered: 0, worse: 1 });
    expect(job.best).toMatchObject({ candidate: 7, edit_mean: 1 });
  });

  it('drop an edit that copies a held-out row, and one that copies an answer', async () => {
    const answer = 'The honest reply is that nobody in this office knows it.';
    edits.gateway.reply = (asked) => {
      const reply = edits.answer(asked);
      return reply === 'I do not know.' ? answer : reply;
    };
    edits.edits = [edit(`Never say: ${answer}`), edit('Be brief.')];
    const { dropped, candidates } = await edits.done();
    expect(dropped.leak).toBe(1);
    expect(candidates[1]?.detail).toContain('of an answer');
    await edits.reset();
    const secret = 'zero one two three four five six seven eight';
    await edits.project.addDataset(
      'secret',
      ROWS.map((row, at) => ({ ...row, note: at % 2 === 0 ? secret : `other ${at}` })),
    );
    edits.edits = [edit(`Count: ${secret}`), edit('Be brief.')];
    expect(await edits.done({ dataset: 'secret' })).toMatchObject({ dropped: { leak: 1 } });
  });

  it('store nothing where an edit is better on practice rows alone', async () => {
    const practice = new Set<string>();
    edits.gateway.reply = (asked) => {
      const row = String(asked.body.messages[1]?.content);
      if (asked.body.model === 'small' && practice.size < 7) practice.add(row);
      const isCheat = asked.body.messages[0]?.content.includes(MAGIC) && !practice.has(row);
      return isCheat ? 'I do not know.' : edits.answer(asked);
    };
    const job = await edits.done();
    expect(job).toMatchObject({ status: 'done', best: { prompt: null, edit_mean: 0 } });
    expect(await versions()).toHaveLength(1);
  });

  it('say that no edit is better, without asking held-out rows', async () => {
    edits.edits = [edit('Be brief.'), edit('Be very brief.'), 'No.'];
    const job = await edits.done({ max_evaluations: 20 });
    expect(job).toMatchObject({ status: 'done', best: null, error: null });
    expect(job.evaluations).toBeLessThanOrEqual(20);
    expect(await versions()).toHaveLength(1);
  });

  it('turn a text prompt into a text prompt, and use the answering model where no other is named', async () => {
    await edits.project.addInstance('plain', 'StringPrompt', { content: 'Say it.' });
    edits.gateway.reply = ({ body }) =>
      (body.response_format as object | undefined) !== undefined
        ? JSON.stringify({ diagnosis: '', message_1: `Say it ${MAGIC}.` })
        : body.messages[0]?.content.includes(MAGIC)
          ? 'city-1'
          : 'no';
    await edits.project.addDataset(
      'plain-rows',
      Array.from({ length: 12 }, (_none, at) => ({
        messages: [{ role: 'user', content: `Go ${at}` }],
        expected: 'city-1',
      })),
    );
    const job = await edits.done({ prompt: 'plain', dataset: 'plain-rows', reflection_model: null });
    expect(job.best).toMatchObject({ original_mean: 0, edit_mean: 1 });
    const [value] = await edits.app.sql<{ value: JsonObject }>(
      `SELECT val_text::json AS value FROM object_versions WHERE object_id = 'plain' ORDER BY version_index DESC LIMIT 1`,
    );
    expect(value?.value).toMatchObject({ _type: 'StringPrompt', name: 'plain', content: `Say it ${MAGIC}.` });
    expect(value?.value).not.toHaveProperty('messages');
    expect(edits.gateway.asked.every(({ body }) => body.model === 'small')).toBe(true);
  });

  it('have judges score, and let the editor read why', async () => {
    const llm = {
      model: 'judge',
      messages: [{ role: 'user', content: '{{output}}' }],
      ratings: [{ name: 'helpful', min: 1, max: 5 }],
    };
    await edits.project.addScorer('helpful', { kind: 'llm', llm });
    edits.gateway.reply = (asked) => {
      if (asked.body.model !== 'judge') return edits.answer(asked);
      const isGood = asked.body.messages.some(({ content }) => content.includes('city-'));
      return JSON.stringify({ reason: isGood ? 'named' : 'evasive', helpful: isGood ? 5 : 2 });
    };
    const job = await edits.done({ scorers: ['right', 'helpful'], metric: 'scores.helpful.helpful' });
    expect(job.best).toMatchObject({ edit_mean: 5, prompt: expect.any(String) });
    expect(edits.asked('judge')).toHaveLength(job.evaluations);
    expect(edits.asked('editor')[0]?.body.messages[1]?.content).toContain('helpful: {"helpful":2} evasive');
    expect(job.cost_usd).toBeCloseTo(0.001 * edits.gateway.asked.length, 9);
  });

  it('are listed page by page, without messages', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) ids.push(await edits.create());
    await edits.app.sql(
      `INSERT INTO prompt_edits (project_id, id, plan, seed, max_evaluations, status, key_id, created_by, finished_at)
       SELECT project_id, gen_random_uuid(), plan, seed, max_evaluations, 'done', key_id, created_by, now() FROM prompt_edits, generate_series(1, 10)`,
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = (await edits.client.get(`${EDITS}?project_id=${PROJECT}${query}`)).json();
      for (const job of page.prompt_edits) {
        seen.push(job.id);
        expect(job.candidates).toMatchObject([{ id: 0, messages: null }]);
      }
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(22);
    for (const id of ids) expect(seen).toContain(id);
  });

  it('refuse what cannot be done', async () => {
    await edits.project.addInstance('images', 'MessagesPrompt', {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    });
    await edits.project.addInstance('huge', 'MessagesPrompt', {
      messages: [{ role: 'user', content: 'x'.repeat(32_769) }],
    });
    await edits.project.addDataset('one', ROWS.slice(0, 1));
    await edits.project.addScorer('distance', { kind: 'check', check: { check: 'edit_distance', value: 'a', max: 3 } });
    await edits.project.addScorer('quick', { kind: 'check', check: { check: 'latency', max: 3 } });
    for (const [more, expected] of [
      [{ prompt: 'none' }, 'prompt.not_found'],
      [{ prompt: 'right' }, 'prompt.not_found'],
      [{ dataset: 'brief' }, 'dataset.not_found'],
      [{ scorers: ['none'] }, 'scorer.not_found'],
      [{ prompt: 'images' }, 'prompt'],
      [{ prompt: 'huge' }, 'prompt'],
      [{ dataset: 'one' }, 'dataset'],
      [{ scorers: ['right', 'right'] }, 'scorers.1'],
      [{ scorers: ['quick'] }, 'scorers.0.scorer'],
      [{ scorers: [] }, 'scorers'],
      [{ metric: 'scores.right.other' }, 'metric'],
      [{ metric: 'right.passed' }, 'metric'],
      [{ scorers: ['distance'], metric: 'scores.distance.value' }, 'scale'],
      [{ scale: [1, 1] }, 'scale'],
      [{ scale: [0] }, 'scale'],
      [{ max_evaluations: 201 }, 'max_evaluations'],
      [{ holdout: 1 }, 'holdout'],
      [{ max_cost_usd: 0 }, 'max_cost_usd'],
      [{ parameters: { model: 'x' } }, 'parameters.model'],
      [{ seed: -1 }, 'seed'],
    ] as const) {
      const { status, json } = await edits.client.post(EDITS, edits.body(more));
      const { detail, code } = json();
      const where = Array.isArray(detail) ? detail[0].loc.slice(1).join('.') : code;
      expect([JSON.stringify(more), status, where]).toEqual([
        JSON.stringify(more),
        Array.isArray(detail) ? 422 : 404,
        expected,
      ]);
    }
    expect(await edits.app.sql('SELECT FROM prompt_edits')).toEqual([]);
    expect(PROMPT.messages).toBe(MESSAGES);
  });
});
