import { measureCharts } from './charts.mjs';
import { measureFullIngest, measureIngest } from './ingest.mjs';
import { measureLists } from './lists.mjs';
import { measurePages } from './pages.mjs';
import { measurePeers } from './peers.mjs';
import { measureRetention } from './retention.mjs';
import { measureSearch } from './search.mjs';
import { measureTrees } from './trees.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  ingest: measureIngest,
  full: measureFullIngest,
  pages: measurePages,
  trees: measureTrees,
  lists: measureLists,
  charts: measureCharts,
  search: measureSearch,
  retention: measureRetention,
  peers: measurePeers,
};
