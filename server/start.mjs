// @ts-check
import { SERVER, buildAll } from './setup/build.mjs';
import { installDependencies } from './setup/dependencies.mjs';
import { pathToFileURL } from 'node:url';

/**
 * `npm start`: installs, builds when something has changed, and becomes the program that was built. Needs nothing but
 * node, so that it runs on a fresh clone; the options are the program's own.
 */
installDependencies();
buildAll();
await import(pathToFileURL(SERVER).href);
