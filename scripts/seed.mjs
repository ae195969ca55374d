// Set-up of the tests: properties are tried from the same seed in every run, so that a run says something of the code and
// not of its luck. FC_SEED=N explores from another.
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FC_SEED ?? 1) })
