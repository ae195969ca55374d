// What must stand in no file of the repository: paths of one person's machine, and the host of a package registry
// (npm and Go know theirs from the machine's own configuration; a lock file that names one breaks other machines).
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { repositoryFiles, root } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

const forbidden = [
  [/(?<![\w.~$}*-])\/(?:work|root|Users)\/[\w.@-]+/, 'a path of one machine'],
  [/\bregistry\.(?:npmjs|yarnpkg)\.\w+/, 'a registry host'],
  [/\b(?:proxy|sum)\.golang\.org\b/, 'a registry host'],
  [/"resolved":\s*"https?:/, 'a registry host (see omit-lockfile-registry-resolved in .npmrc)'],
]

/** The hosts that this machine's clients are set up to ask: however they are called, none belongs in a file. */
async function configuredHosts() {
  const npm = (await run('npm', ['config', 'get', 'registry'], { cwd: root })).stdout
  const go = (await run('go', ['env', 'GOPROXY'])).stdout
  return [...`${npm},${go}`.matchAll(/https?:\/\/(?:[^@/,\s]*@)?([^/,|\s]+)/g)].map(([, host]) => host)
}

/** The forbidden words of a text, `line: word: why` each. */
export function forbiddenWords(text, hosts = []) {
  return text.split('\n').flatMap((line, index) => [
    ...forbidden.flatMap(([pattern, why]) => {
      const match = pattern.exec(line)
      return match ? [`${index + 1}: ${match[0]}: ${why}`] : []
    }),
    ...hosts.filter((host) => line.includes(host)).map(() => `${index + 1}: this machine's registry host`),
  ])
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const hosts = await configuredHosts()
  const files = await repositoryFiles()
  const problems = files.flatMap((file) =>
    forbiddenWords(readFileSync(`${root}/${file}`, 'utf8'), hosts).map((problem) => `${file}:${problem}`),
  )
  for (const problem of problems) console.log(problem)
  console.log(`${files.length} files, ${problems.length} forbidden words`)
  process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0
}
