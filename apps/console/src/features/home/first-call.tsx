import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { CopyButton } from '../../shared/ui/copy-button.js';
import styles from './home.module.css';

/** What fills an empty project while one watches: three ways in, to be pasted. */
export function FirstCall() {
  const project = useProject();
  const { origin } = location;
  const ways = [
    {
      name: 'curl',
      text: `curl -H "Authorization: Bearer $HONE_API_KEY" -H 'Hone-Project: ${project.id}' ${origin}/v1/chat/completions \\
  -H 'Content-Type: application/json' -d '{"model":"hone-tiny","messages":[{"role":"user","content":"What is the opposite of hot?"}]}'`,
    },
    {
      name: 'Python, openai',
      text: `from openai import OpenAI
client = OpenAI(base_url="${origin}/v1", api_key=HONE_API_KEY, default_headers={"Hone-Project": "${project.id}"})
client.chat.completions.create(model="hone-tiny", messages=[{"role": "user", "content": "What is the opposite of hot?"}])`,
    },
    {
      name: 'Python, weave',
      text: `# WANDB_BASE_URL=${origin} WANDB_API_KEY=$HONE_API_KEY
import weave
weave.init("${project.id}")
@weave.op
def add(a, b): return a + b
add(1, 2)`,
    },
  ];
  return (
    <Page title={`${project.id} is empty`}>
      <div className={page['body']}>
        <p>
          Calls appear here while you watch. Ask a model in the <Link to={project.path('playground')}>playground</Link>,
          or paste one of these. The key is in <code>.hone/api-key</code> after <code>npm start</code>.
        </p>
        {ways.map(({ name, text }) => (
          <section key={name} className={page['section']} aria-label={name}>
            <h2>{name}</h2>
            <pre className={styles['paste']}>
              {text}
              <CopyButton label={`Copy ${name}`} text={() => text} />
            </pre>
          </section>
        ))}
      </div>
    </Page>
  );
}
