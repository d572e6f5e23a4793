# Steps for the scripts beside this file: source it.
#
# A step is a function. All steps run, also after one has failed; a summary with
# their times comes at the end, and the script fails when one of them did.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The checkout may belong to somebody else than who runs this, as in containers.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$PWD

# Larger sets of verified values and Discord's own description of its interface
# are not part of the project; tests that want them skip where they are absent.
if [[ -d ../shared ]]; then
	LASCA_SHARED=$(cd ../shared && pwd)
	export LASCA_SHARED
	if [[ -f $LASCA_SHARED/discord/openapi.json ]]; then
		export DISCORD_OPENAPI=$LASCA_SHARED/discord/openapi.json
	fi
fi

summary=()
failed=0

# step NAME COMMAND... runs a command, shows its output and its time.
step() {
	local name=$1 began=$SECONDS status=0
	shift
	printf '\n== %s\n' "$name"
	# In the background, since errexit sleeps where a status is asked for.
	(set -euo pipefail && "$@") &
	wait $! || status=$?
	local took=$((SECONDS - began)) verdict=ok
	if [[ $status -ne 0 ]]; then
		verdict=FAILED failed=1
	fi
	printf -- '-- %s: %s, %d s\n' "$name" "$verdict" "$took"
	summary+=("$(printf '%-6s %5d s  %s' "$verdict" "$took" "$name")")
}

# finish prints the summary and ends the script.
finish() {
	printf '\n== summary, %d s\n' "$SECONDS"
	printf '%s\n' "${summary[@]}"
	exit "$failed"
}

# tool NAME ARGUMENT... runs one of the pinned tools.
tool() { go tool -modfile=.ci/tools/go.mod "$@"; }

# install_missing installs with apt-get what tests need besides Go: a C compiler
# for the race detector, git, a browser, and PostgreSQL with PgBouncer.
install_missing() {
	local missing=()
	command -v git >/dev/null || missing+=(git ca-certificates)
	command -v gcc >/dev/null || missing+=(gcc libc6-dev)
	command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
	[[ -n $(postgres_programs) ]] || missing+=(postgresql)
	command -v pgbouncer >/dev/null || [[ -x /usr/sbin/pgbouncer ]] || missing+=(pgbouncer)
	if [[ ${#missing[@]} -eq 0 ]]; then
		echo 'nothing is missing'
		return
	fi
	if ! command -v apt-get >/dev/null || [[ $(id -u) -ne 0 ]]; then
		echo "missing: ${missing[*]}; install them, or run this as root on Debian"
		return 1
	fi
	apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
	echo "installed: ${missing[*]}"
}

# fuzz TIME runs every fuzz target for a time such as 3s. Targets are found in
# the sources, so that none is forgotten.
fuzz() {
	local file name bad=0 count=0 log
	log=$(mktemp)
	while IFS=: read -r file name; do
		name=${name#func }
		name=${name%(}
		count=$((count + 1))
		echo "fuzzing $name in $(dirname "$file")"
		# Without the minimising of inputs that are merely interesting, which
		# would go on after the time is over.
		go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" -fuzzminimizetime 5s -parallel 2 "./$(dirname "$file")" 2>&1 | tee "$log" && continue
		# Go sometimes takes the end of the time itself for a failure; then it
		# names no input.
		grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log" || bad=1
	done < <(grep -rHoE '^func Fuzz[A-Za-z0-9_]+\(' --include='*_test.go' . | sed 's|^\./||' | sort)
	echo "$count targets"
	[[ $count -gt 0 && $bad -eq 0 ]]
}

# postgres_programs prints the folder of PostgreSQL's programs, of the newest version.
postgres_programs() {
	local initdb
	initdb=$(ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -1 || true)
	[[ -z $initdb ]] || dirname "$initdb"
}

# start_postgres FOLDER starts a PostgreSQL server for tests, with its data in an empty
# folder, and writes its address into FOLDER/url. stop_postgres ends it.
start_postgres() {
	local bin port
	bin=$(postgres_programs)
	port=$(free_port)
	chmod 711 "$1"
	as_postgres chown "$1"
	as_postgres "$bin/initdb" -D "$1/data" -U postgres -A trust -E UTF8 --locale C --no-sync >/dev/null
	as_postgres "$bin/pg_ctl" -D "$1/data" -w -l "$1/data/log" -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=500 -c fsync=off" start
	echo "postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable" >"$1/url"
}

stop_postgres() {
	local bin
	bin=$(postgres_programs)
	[[ ! -d $1/data ]] || as_postgres "$bin/pg_ctl" -D "$1/data" -m immediate stop >/dev/null 2>&1 || true
	rm -rf "$1"
}

# as_postgres runs a command as the user postgres where this one is root, since root may
# not run a server. "chown FOLDER" gives that user a folder.
as_postgres() {
	if [[ $1 == chown ]]; then
		[[ $(id -u) -ne 0 ]] || chown postgres "$2"
	elif [[ $(id -u) -eq 0 ]]; then
		(cd / && su postgres -s /bin/sh -c 'exec "$0" "$@"' -- "$@")
	else
		"$@"
	fi
}

free_port() {
	local port
	for port in $(shuf -i 20000-32000 -n 50); do
		if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
			echo "$port"
			return
		fi
	done
	return 1
}
