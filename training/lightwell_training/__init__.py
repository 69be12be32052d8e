"""Makes the models that Lightwell ships: lightwell-base, lightwell-embed and lightwell-reader."""
