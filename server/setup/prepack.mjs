// @ts-check
import { giveUp, installDependencies, run } from './dependencies.mjs';

/** `npm pack` runs this first: builds what the package holds, in a fresh clone too. */
installDependencies();
if (!run('npm', ['run', '--silent', 'build'])) giveUp('The build failed; its message is above.');
