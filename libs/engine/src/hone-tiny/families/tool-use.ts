import type { Family } from '../example.js';
import { greetings } from './greetings.js';
import { callOf, TOOLS } from './tools.js';

/** One or two tools are given: one of them is called, or none when the question needs none. */
export const toolCall: Family = {
  name: 'tool-call',
  closed: false,
  example(random) {
    const given = random.sample(TOOLS, random.between(1, 2));
    const tools = given.map(({ definition }) => definition);
    if (random.oneIn(8)) return { ...greetings.example(random), tools };
    const needed = random.pick(given);
    const { prompt, input } = needed.ask(random);
    return {
      messages: [
        { role: 'user', content: prompt },
        { role: 'assistant', content: null, tool_calls: [callOf(needed, input)] },
      ],
      tools,
    };
  },
};

/** The tool has answered: its result is stated in a sentence. */
export const toolResult: Family = {
  name: 'tool-result',
  closed: false,
  example(random) {
    const called = random.pick(TOOLS);
    const { prompt, input } = called.ask(random);
    const { output, sentence } = called.result(random, input);
    return {
      messages: [
        { role: 'user', content: prompt },
        { role: 'assistant', content: null, tool_calls: [callOf(called, input)] },
        { role: 'tool', content: output },
        { role: 'assistant', content: sentence },
      ],
      tools: [called.definition],
    };
  },
};
