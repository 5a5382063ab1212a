/** Domains of providers that charge what the built-in list says. */
const DOMAINS = [
  ...['openai.com', 'openai.azure.com', 'anthropic.com', 'googleapis.com', 'mistral.ai', 'deepseek.com', 'x.ai'],
  ...['cohere.ai', 'cohere.com', 'openrouter.ai'],
];

/** Whether a provider of hosted models answers at a URL. A server of one's own may have a model of the same name. */
export function isHosted(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
