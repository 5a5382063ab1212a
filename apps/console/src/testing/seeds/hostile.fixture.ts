/** Content that breaks pages that trust it. */
export const HOSTILE = {
  script: '<script>document.title = "taken"</script><img src=x onerror="document.title=\'taken\'">',
  word: 'w'.repeat(10_000),
  rightToLeft: '\u202eمرحبا\u202c',
};
