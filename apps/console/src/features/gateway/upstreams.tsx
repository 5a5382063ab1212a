import type { GatewayAdapterDto, GatewayUpstreamDto } from '@hone/client';

import page from '../../shared/page/page.module.css';
import { Table, type TableColumn } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';

const COLUMNS: readonly TableColumn[] = [
  { name: 'Upstream' },
  { name: 'Kind' },
  { name: 'Server' },
  { name: 'Trained models', kind: 'wide' },
];

/** The servers and engines behind the routes; without any server, how to add one. */
export function Upstreams({ upstreams }: { readonly upstreams: readonly GatewayUpstreamDto[] }) {
  if (upstreams.every(({ kind }) => kind === 'embedded')) return <NoServers />;
  return (
    <section className={page['section']} aria-label="Upstreams">
      <h2>Upstreams</h2>
      <Table label="Table of upstreams" columns={COLUMNS}>
        {upstreams.map((upstream) => (
          <tr key={upstream.name}>
            <td>
              {upstream.name} {!upstream.enabled && <Badge tone="muted">disabled</Badge>}
            </td>
            <td>{upstream.kind === 'embedded' ? 'the engine of Hone' : 'server'}</td>
            <td>{upstream.host ?? '–'}</td>
            <td>
              <Adapters upstream={upstream} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Adapters({ upstream: { kind, adapters } }: { readonly upstream: GatewayUpstreamDto }) {
  if (kind === 'embedded') return 'loads any';
  if (adapters === null) return '–';
  return (
    <>
      {adapters.held} of {adapters.max} adapters loaded
      {adapters.list?.map((adapter) => (
        <AdapterLine key={`${adapter.model_id} ${adapter.step}`} adapter={adapter} />
      ))}
    </>
  );
}

const AdapterLine = ({ adapter: { model_id, step, state, in_flight } }: { readonly adapter: GatewayAdapterDto }) => (
  <div className={page['muted']}>
    <code>{model_id}</code> step {step}: {state}
    {in_flight > 0 && `, ${in_flight} in flight`}
  </div>
);

const NoServers = () => (
  <EmptyNote title="No other servers yet">
    <p>
      The models above are answered by the engine of Hone. Put vLLM, or any server with the interface of OpenAI, behind
      the same address and keys: its health, load and failures would be here.
    </p>
    <Snippet
      text={`cat > upstreams.yaml <<'END'
upstreams:
  - name: vllm-a
    kind: openai-compatible
    base_url: http://10.0.0.5:8000/v1
    key_env: VLLM_A_KEY
    dialect: vllm
    models: [{ name: Qwen/Qwen3-8B }]
END
VLLM_A_KEY=… HONE_UPSTREAMS=upstreams.yaml npm start`}
    />
  </EmptyNote>
);
