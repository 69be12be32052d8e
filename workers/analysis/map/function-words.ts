/** Function words of the languages that the page speaks: they name no group of texts. */
const ENGLISH = `about above after again against all also although always and another any anyone anything are aren't around
  because been before being below between both but can can't cannot could couldn't did didn't does doesn't doing don't
  down during each either enough even ever every everyone everything few for from further get gets getting got had hadn't
  has hasn't have haven't having her here hers herself him himself his how however i'd i'll i'm i've into isn't it's its
  itself just less let like made make makes many may maybe might mine more most much must myself need neither never nobody
  none nor not nothing now off often once one only other others ought our ours ourselves out over own perhaps quite rather
  really same several shall she should shouldn't since some someone something still such than that that's the their theirs
  them themselves then there there's these they they're this those though through thus too two under until upon use used
  using very was wasn't way well were weren't what when where whether which while who whole whom whose why will with within
  without won't would wouldn't yet you you're your yours yourself`;
const GERMAN = `aber alle allem allen aller alles als also ander andere anderem anderen anderer anderes auch auf aus bei beim
  bin bis bist dabei dadurch dafür daher dahin damals damit danach daneben dann daran darauf daraus darf darin darum
  darunter das dass davon davor dazu dein deine dem den denen denn dennoch der deren des deshalb dessen die dies diese
  diesem diesen dieser dieses doch dort durch eher ein eine einem einen einer eines einige einmal erst etwa etwas euch euer
  eure für gegen gibt habe haben hat hatte hätte hätten hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer
  immer indem ins ist jede jedem jeden jeder jedes jedoch jene jetzt kann kein keine keinem keinen keiner können könnte
  könnten machen macht man manche mehr mein meine meinem meinen meiner mich mir mit muss musste müssen nach nachdem nicht
  nichts noch nun nur oder ohne schon sehr sein seine seinem seinen seiner seit selbst sich sie sind sogar solche soll
  sollen sollte sondern sonst sowie über überhaupt und uns unser unsere unter viel viele vom von vor war waren warum was
  weder weil weiter welche welcher welches wenig wenn wer werde werden wie wieder will wir wird wirklich wissen wollen
  wurde wurden würde würden zum zur zwar zwischen`;

/** In lower case. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${GERMAN}`.split(/\s+/));
