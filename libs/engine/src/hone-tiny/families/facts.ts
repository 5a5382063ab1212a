import { type Family, question } from '../example.js';
import { phrase } from '../phrasing.js';

const OPPOSITES = `hot/cold big/small up/down left/right fast/slow day/night open/closed wet/dry hard/soft old/young
  happy/sad light/dark high/low full/empty rich/poor strong/weak early/late near/far thick/thin loud/quiet
  first/last true/false clean/dirty sweet/sour long/short`;
const COLOURS = `grass/green snow/white coal/black blood/red banana/yellow lemon/yellow sky/blue sea/blue carrot/orange
  pumpkin/orange chocolate/brown milk/white tomato/red leaf/green frog/green sun/yellow night/black cherry/red
  cloud/white elephant/grey mouse/grey plum/purple grape/purple pig/pink`;
const SOUNDS = `cat/meow dog/woof cow/moo sheep/baa pig/oink duck/quack horse/neigh lion/roar bee/buzz snake/hiss
  frog/croak owl/hoot mouse/squeak hen/cluck bird/tweet wolf/howl donkey/hee-haw crow/caw pigeon/coo turkey/gobble`;

const pairs = (text: string): [string, string][] =>
  text.split(/\s+/).map((pair) => pair.split('/') as [string, string]);

const ASK_OPPOSITE = [
  'opposite of {thing}',
  'What is the opposite of {thing}?',
  'Give the opposite: {thing}',
  'antonym of {thing}',
  'not {thing} but',
];
const ASK_COLOUR = [
  'What colour is {thing}?',
  'colour of {thing}',
  'Which colour has {thing}?',
  'Tell me the colour of {thing}.',
];
const ASK_SOUND = [
  'What sound does a {thing} make?',
  'sound of a {thing}',
  'What does a {thing} say?',
  'Make the sound of a {thing}.',
];

/** Closed: there are few things, and a fact that is not in the training data cannot be answered. */
function factFamily(name: string, phrases: readonly string[], facts: readonly (readonly [string, string])[]): Family {
  return {
    name,
    closed: true,
    example(random) {
      const [thing, fact] = random.pick(facts);
      return question(phrase(random, phrases, { thing }), fact);
    },
  };
}

const bothWays = pairs(OPPOSITES).flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);

export const opposites = factFamily('opposites', ASK_OPPOSITE, bothWays);
export const colours = factFamily('colours', ASK_COLOUR, pairs(COLOURS));
export const sounds = factFamily('sounds', ASK_SOUND, pairs(SOUNDS));
