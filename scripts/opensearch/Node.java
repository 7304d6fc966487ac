import org.codelibs.opensearch.runner.OpenSearchRunner;

/** Starts one OpenSearch node for tests. Arguments: FOLDER NAME HTTP_PORT TRANSPORT_PORT [NAME:TRANSPORT_PORT of every node of the cluster, comma separated]. */
public class Node {
  public static void main(String[] args) throws Exception {
    OpenSearchRunner runner = new OpenSearchRunner();
    String[] members = args.length > 4 ? args[4].split(",") : new String[0];
    runner.onBuild((number, settings) -> {
      settings.put("node.name", args[1]);
      settings.put("http.port", args[2]);
      settings.put("transport.port", args[3]);
      settings.put("network.host", "127.0.0.1");
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
      if (members.length == 0) {
        settings.put("discovery.type", "single-node");
      } else {
        settings.put("discovery.type", "zen");
        String[] names = new String[members.length];
        String[] hosts = new String[members.length];
        for (int i = 0; i < members.length; i++) {
          names[i] = members[i].split(":")[0];
          hosts[i] = "127.0.0.1:" + members[i].split(":")[1];
        }
        settings.putList("cluster.initial_cluster_manager_nodes", names);
        settings.putList("discovery.seed_hosts", hosts);
      }
    });
    runner.build(OpenSearchRunner.newConfigs().clusterName("catalog-test").basePath(args[0]).numOfNode(1).useLogger());
    System.out.println("READY");
    Thread.sleep(Long.MAX_VALUE);
  }
}
