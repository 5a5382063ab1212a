/** Ends a run with one plain line: `<n> passed, <n> failed`. */
export default class ClosingCountsReporter {
  onRunComplete(_contexts, results) {
    const brokenFiles = results.testResults.filter((file) => file.testExecError).length;
    const skipped = results.numPendingTests + results.numTodoTests;
    const tail = skipped ? `, ${skipped} skipped` : '';
    console.log(`\n${results.numPassedTests} passed, ${results.numFailedTests + brokenFiles} failed${tail}`);
  }
}
