// The reference for the SSE benchmark: what a plain Node program does with a
// stream of events. Prints how many it parsed.
import http from 'node:http'

let rest = ''
let events = 0
http.get(process.argv[2], (response) => {
  response.setEncoding('utf8')
  response.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop()
    for (const part of parts) {
      for (const line of part.split('\n')) {
        if (!line.startsWith('data:')) continue
        if (JSON.parse(line.slice(5)).type) events++
      }
    }
  })
  response.on('end', () => console.log(events))
})
