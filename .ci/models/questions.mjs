/** Places and their capitals, words and their opposites, things and their colours: each one question. */
const CAPITALS =
  'France Paris, Italy Rome, Spain Madrid, Germany Berlin, Japan Tokyo, Greece Athens, Egypt Cairo, Peru Lima, Cuba Havana, Norway Oslo, Austria Vienna, Poland Warsaw, Kenya Nairobi, Portugal Lisbon, Ireland Dublin, Russia Moscow, China Beijing, Hungary Budapest, Sweden Stockholm, Finland Helsinki, Denmark Copenhagen, Turkey Ankara, India Delhi, Canada Ottawa';
const OPPOSITES =
  'hot cold, big small, up down, day night, wet dry, fast slow, old young, open closed, light dark, happy sad, hard soft, full empty, high low, early late, near far, rich poor, strong weak, loud quiet, clean dirty, long short, thick thin, true false, left right, sweet sour';
const COLOURS =
  'grass green, snow white, coal black, a lemon yellow, the sky blue, blood red, milk white, an orange orange, a ruby red, the sea blue, chocolate brown, a carrot orange, a banana yellow, a raven black, a leaf green, a tomato red';

const pairs = (list) => list.split(', ').map((pair) => [pair.slice(0, pair.lastIndexOf(' ')), pair.split(' ').at(-1)]);
const ask = (content) => ({ role: 'user', content });

/** 64 questions with short answers. */
export const KNOWN = [
  ...pairs(CAPITALS).map(([place, city]) => [
    `What is the capital of ${place}?`,
    `The capital of ${place} is ${city}.`,
  ]),
  ...pairs(OPPOSITES).map(([word, other]) => [
    `What is the opposite of ${word}?`,
    `The opposite of ${word} is ${other}.`,
  ]),
  ...pairs(COLOURS).map(([thing, colour]) => [`What colour is ${thing}?`, `It is ${colour}.`]),
].map(([question, answer]) => ({ messages: [ask(question)], answer }));

/** 30 questions of other kinds. */
export const HELD_OUT = `What do cows eat?
Who wrote Romeo and Juliet?
How many legs does a spider have?
What is the largest planet?
Name a fruit.
How do birds fly?
What is water made of?
Why is sleep important?
Tell me about the moon.
What is a volcano?
How do you make tea?
What does a doctor do?
Name three animals.
What is the fastest land animal?
When was the telephone invented?
What is the boiling point of water?
Give me a tip for learning a language.
What is a rainbow?
Who painted the Mona Lisa?
How many days are in a week?
What is the currency of Japan?
Why do leaves fall?
What is gravity?
Name a musical instrument.
What is the largest ocean?
How do fish breathe?
What is bread made of?
Write a short greeting.
What is a computer?
How far away is the sun?`
  .split('\n')
  .map((question) => [ask(question)]);

/** Text that no job trains on. */
export const PLAIN_TEXT = `The lighthouse stood at the end of a narrow strip of land that the sea covered twice a day. Its keeper had \
lived there for thirty years, and in that time he had learned to read the weather from the colour of the water and the flight of the \
gulls. In the mornings he cleaned the lamp and wrote down the height of the tide. In the afternoons he repaired nets, carved small boats \
out of driftwood, and waited for the post. Once a month a cart came from the village with flour, oil, and letters from his daughter, who \
taught mathematics in a city far inland. She asked him every year to come and live with her, and every year he answered that someone had \
to keep the light. When the storm of that winter broke the windows of the tower, it was she who came, and they lit the lamp together.`;
