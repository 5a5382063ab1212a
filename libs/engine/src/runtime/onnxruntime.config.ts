/**
 * Disables telemetry: the published builds of ONNX Runtime report opened graphs to Microsoft, and keep files for that
 * in the temporary folder, unless this is set before the first graph is opened. A thread cannot set it for its process,
 * so whatever starts threads imports this, too.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
