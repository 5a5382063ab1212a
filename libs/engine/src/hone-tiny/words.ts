const listed = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Words of 3 to 5 letters, most without a repeated letter pattern that would give their reversal away. */
export const WORDS = listed(`
  cat dog sun map pen cup hat box car bus key bed egg fox jam kit leg net oak pig
  rat sea tea van web zoo ant bag cow day ear fan gas hen ice jar log mud nut owl
  pot rug sky toy urn wax yak arm bat clay desk door duck fish frog gold hand idea
  jump king lamp leaf milk moon neck nose open park quiz rain road sand ship star
  time tree vase wind wolf yard zero bird book cake coin drum east farm fire gate
  glue horn iron jazz kite lake lion mask nest path pond rice rose salt seed silk
  snow soap song swan tent tide town wave west wing wood wool apple bread chair
  cloud dance earth field glass grape green heart house juice knife lemon light
  mouse music night ocean paper piano plant queen river sheep smile spoon stone
  storm sugar table tiger train water wheat wheel world zebra
`);

export const NAMES = listed(`
  Anna Ben Clara David Emma Frank Grace Hugo Ivy Jack Kate Leo Maya Noah Olga Paul Quinn Rosa Sam Tina Uma Victor
  Wendy Xavier Yara Zoe
`);

export const CITIES = listed(`
  Paris London Rome Berlin Madrid Oslo Vienna Prague Lisbon Dublin Athens Tokyo Cairo Lima Delhi Boston
`);
