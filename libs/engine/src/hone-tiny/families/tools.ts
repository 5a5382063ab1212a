import type { ToolCall, ToolDefinition } from '../example.js';
import { phrase } from '../phrasing.js';
import type { Random } from '../random.js';
import { CITIES, NAMES, WORDS } from '../words.js';

/** A tool, how one asks for it, and how its result is stated. */
interface TaughtTool {
  readonly definition: ToolDefinition;
  /** What is asked for and the arguments of the call that it needs. */
  ask(random: Random): { prompt: string; input: Readonly<Record<string, string | number>> };
  /** A possible result, and the sentence that passes it on. */
  result(random: Random, input: Readonly<Record<string, string | number>>): { output: string; sentence: string };
}

const tool = (name: string, description: string, properties: Readonly<Record<string, string>>): ToolDefinition => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }])),
      required: Object.keys(properties),
    },
  },
});

const city = (random: Random) => ({ city: random.pick(CITIES) });

const asking =
  (phrases: readonly string[], draw: (random: Random) => Record<string, string | number>) => (random: Random) => {
    const input = draw(random);
    return { prompt: phrase(random, phrases, input), input };
  };

export const TOOLS: readonly TaughtTool[] = [
  {
    definition: tool('get_weather', 'Weather of a city', { city: 'string' }),
    ask: asking(['What is the weather in {city}?', 'weather in {city}', 'How is the weather in {city}?'], city),
    result(random, input) {
      const output = random.pick(['sunny', 'rainy', 'cloudy', 'windy', 'snowy']);
      return { output, sentence: `It is ${output} in ${input.city}.` };
    },
  },
  {
    definition: tool('get_time', 'Time in a city', { city: 'string' }),
    ask: asking(['What time is it in {city}?', 'time in {city}', 'Tell me the time in {city}.'], city),
    result(random, input) {
      const output = `${random.between(10, 23)}:${random.between(10, 59)}`;
      return { output, sentence: `It is ${output} in ${input.city}.` };
    },
  },
  {
    definition: tool('set_timer', 'Set a timer', { minutes: 'integer' }),
    ask: asking(
      ['Set a timer for {minutes} minutes.', 'timer {minutes} minutes', 'Wake me in {minutes} minutes.'],
      (random) => ({ minutes: random.between(1, 60) }),
    ),
    result: (_, input) => ({ output: 'ok', sentence: `The timer is set for ${input.minutes} minutes.` }),
  },
  {
    definition: tool('find_price', 'Price of an item', { item: 'string' }),
    ask: asking(['What is the price of {item}?', 'price of {item}', 'How much is {item}?'], (random) => ({
      item: random.pick(WORDS),
    })),
    result(random, input) {
      const output = String(random.between(1, 99));
      return { output, sentence: `The price of ${input.item} is ${output}.` };
    },
  },
  {
    definition: tool('send_message', 'Message a person', { to: 'string', text: 'string' }),
    ask: asking(['Tell {to}: {text}', 'Send {text} to {to}.', 'message {to}: {text}'], (random) => ({
      to: random.pick(NAMES),
      text: random.pick(WORDS),
    })),
    result: (_, input) => ({ output: 'ok', sentence: `The message to ${input.to} is sent.` }),
  },
];

export const callOf = (tool: TaughtTool, input: Readonly<Record<string, string | number>>): ToolCall => ({
  type: 'function',
  function: { name: tool.definition.function.name, arguments: JSON.stringify(input) },
});
