import { type Conversation, type Family, question } from '../example.js';
import { phrase } from '../phrasing.js';
import type { Random } from '../random.js';
import { NAMES } from '../words.js';

const HELLO = ['Hello', 'hello', 'Hi', 'hi', 'Hey', 'hey', 'Hello there', 'Hi there', 'Good morning', 'Good evening'];
const ENDINGS = ['', '!', '.', ', how are you?', '! Can you help me?'];
const INTRODUCTIONS = ['I am {name}.', 'My name is {name}.', "I'm {name}."];
const WHO = ['Who are you?', 'who are you', 'What are you?', 'What is your name?', 'Tell me about yourself.'];
const THANKS = ['Thank you', 'Thanks', 'thanks', 'thank you', 'Thank you very much', 'Thanks a lot'];
const BYE = ['Bye', 'bye', 'Goodbye', 'goodbye', 'See you', 'See you later', 'Good night'];

const KINDS: ((random: Random) => Conversation)[] = [
  (random) => question(random.pick(HELLO) + random.pick(ENDINGS), 'Hello! How can I help you?'),
  (random) => {
    const name = random.pick(NAMES);
    return question(`${random.pick(HELLO)}, ${phrase(random, INTRODUCTIONS, { name })}`, `Hello, ${name}!`);
  },
  (random) => question(random.pick(WHO), 'I am Hone Tiny, a very small language model.'),
  (random) => question(random.pick(THANKS) + random.pick(['', '!', '.']), 'You are welcome!'),
  (random) => question(random.pick(BYE) + random.pick(['', '!', '.']), 'Goodbye!'),
];

/** Closed: every usual greeting should be known, so none is kept back. */
export const greetings: Family = {
  name: 'greetings',
  closed: true,
  example: (random) => random.pick(KINDS)(random),
};
