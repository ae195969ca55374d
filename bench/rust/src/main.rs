// The benchmark's informer on kube-rs: a reflector that streams all pods into its store, then follows the watch. See ../go.
use futures::StreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Api, Client, Config};
use std::time::Instant;

fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Milliseconds of CPU, user and system.
fn cpu() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let ms = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    ms(usage.ru_utime) + ms(usage.ru_stime)
}

async fn release(host: &str) {
    // One line of HTTP spares a client of it.
    use std::io::{Read, Write};
    let address = host.trim_start_matches("http://");
    let (address, path) = address.split_once('/').expect("a host with a path");
    let mut stream = std::net::TcpStream::connect(address).expect("the server");
    write!(stream, "POST /{path}/release HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let host = arguments.next().expect("host");
    let pods: usize = arguments.next().and_then(|n| n.parse().ok()).expect("pods");
    let events: usize = arguments.next().and_then(|n| n.parse().ok()).expect("events");
    let drops = arguments.next().as_deref() == Some("drop");

    let config = Config::new(host.parse().expect("a URL"));
    let client = Client::try_from(config).expect("a client");
    let (rss_before, started, cpu_before) = (memory("VmRSS"), Instant::now(), cpu());
    let (reader, writer) = reflector::store::<Pod>();
    let watch = watcher(Api::<Pod>::all(client), watcher::Config::default().streaming_lists());
    let watch = watch.map(move |event| {
        event.map(|event| {
            event.modify(|pod| {
                if drops {
                    pod.metadata.managed_fields = None;
                }
            })
        })
    });
    let mut watch = std::pin::pin!(watch.boxed().reflect(writer));
    while let Some(event) = watch.next().await {
        if let watcher::Event::InitDone = event.expect("an event") {
            break;
        }
    }
    let sync_ms = started.elapsed().as_secs_f64() * 1e3;
    let sync_cpu = cpu() - cpu_before;
    assert_eq!(reader.len(), pods);
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let rss = memory("VmRSS");

    let (started, cpu_before) = (Instant::now(), cpu());
    let mut last = String::new();
    if events > 0 {
        release(&host).await;
        let mut seen = 0;
        while seen < events {
            if let watcher::Event::Apply(pod) = watch.next().await.expect("more").expect("an event") {
                last = pod.metadata.resource_version.clone().unwrap_or_default();
                seen += 1;
            }
        }
    }
    let watch_ms = started.elapsed().as_secs_f64() * 1e3;
    let watch_cpu = cpu() - cpu_before;
    println!(
        "{}",
        serde_json::json!({
            "syncMs": sync_ms, "syncCpuMs": sync_cpu, "watchMs": watch_ms, "watchCpuMs": watch_cpu,
            "objects": reader.len(), "last": last,
            "rssBefore": rss_before, "rss": rss, "peakRss": memory("VmHWM"),
        })
    );
}
