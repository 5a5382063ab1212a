import { measureCharts } from './charts.mjs';
import { measureIngest } from './ingest.mjs';
import { measurePages } from './pages.mjs';
import { measurePeers } from './peers.mjs';
import { measureRetention } from './retention.mjs';
import { measureSearch } from './search.mjs';
import { measureTrees } from './trees.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  ingest: measureIngest,
  pages: measurePages,
  trees: measureTrees,
  charts: measureCharts,
  search: measureSearch,
  retention: measureRetention,
  peers: measurePeers,
};
