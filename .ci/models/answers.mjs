/** What a model of a running Hone says, by its client. */
export class Answers {
  constructor(hone, model) {
    this.hone = hone;
    this.model = model;
  }

  /** @returns the first choice of a greedy answer */
  async ask(messages, more = {}) {
    const body = { model: this.model, temperature: 0, max_tokens: 48, messages, ...more };
    const { choices } = await this.hone.inference.createChatCompletion(body);
    return choices[0];
  }

  /** Text of a greedy answer. */
  async text(messages, more) {
    const { message } = await this.ask(messages, more);
    return message.content;
  }

  /** Texts of many greedy answers, side by side. */
  texts(conversations, more) {
    return Promise.all(conversations.map((messages) => this.text(messages, more)));
  }

  /** Of a text that a user writes, without what the template puts around it. */
  async perplexity(text) {
    const around = await this.#logProbabilities('');
    const all = await this.#logProbabilities(text);
    const after = around.length - around.findLastIndex(({ decoded_token: token }) => token === 'user') - 2;
    const own = all.slice(around.length - after, all.length - after).map(({ logprob }) => logprob);
    return Math.exp(-own.reduce((sum, logprob) => sum + logprob, 0) / own.length);
  }

  async #logProbabilities(content) {
    const body = { model: this.model, max_tokens: 1, prompt_logprobs: 0, messages: [{ role: 'user', content }] };
    const { prompt_logprobs: tokens } = await this.hone.inference.createChatCompletion(body);
    return tokens.slice(1).map((token) => Object.values(token)[0]);
  }
}
