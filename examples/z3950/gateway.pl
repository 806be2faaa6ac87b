#!/usr/bin/perl
# A Z39.50 server that asks a catalogue by SRU. It needs the Debian package
# libnet-z3950-simpleserver-perl.
#
#   BASE=http://127.0.0.1:8080 perl gateway.pl tcp:127.0.0.1:9999
#
# TOKEN is a token that may read, unless ANONYMOUS_ACCESS lets everybody read.

use strict;
use warnings;
use HTTP::Tiny;
use Net::Z3950::SimpleServer;

my $base  = $ENV{BASE} // 'http://127.0.0.1:8080';
my $token = $ENV{TOKEN};
my $http  = HTTP::Tiny->new(timeout => 30);

# Use attributes of Bib-1, and the indexes of SRU for them.
my %text_index = (
    1  => 'bib.namePersonal', 2  => 'bib.nameCorporate', 4    => 'dc.title',   5    => 'bib.titleSeries',
    6  => 'bib.titleUniform', 21 => 'dc.subject',        1002 => 'bib.name',   1003 => 'dc.creator',
    59 => 'bib.originPlace',  62 => 'dc.description',    1018 => 'dc.publisher',
    1016 => 'cql.anywhere',   1017 => 'cql.anywhere',    1035 => 'cql.anywhere',
);
my %exact_index = (
    7  => 'bath.isbn', 8  => 'bath.issn', 9    => 'bath.lccn', 12 => 'rec.identifier',
    30 => 'dc.date',   31 => 'dc.date',   1007 => 'dc.identifier', 54 => 'dc.language',
);
my %relation = (1 => '<', 2 => '<=', 3 => '=', 4 => '>=', 5 => '>', 6 => '<>', 102 => '=');

# Record syntaxes by their object identifiers.
my %format = (
    '1.2.840.10003.5.10'     => 'application/marc',
    '1.2.840.10003.5.109.10' => 'application/marcxml+xml',
);

# An error has a number of Bib-1 and a detail.
sub fail { die { code => $_[0], detail => $_[1] // '' } }

sub escaped { my ($text) = @_; $text =~ s/([\\"*?^])/\\$1/g; return $text }

sub term_to_cql {
    my ($term) = @_;
    my %attribute = map { $_->{attributeType} => $_->{attributeValue} } @{ $term->{attributes} // [] };
    my $use      = $attribute{1} // 1016;
    my $relation = $relation{ $attribute{2} // 3 } // fail(117, $attribute{2});
    my $text     = escaped($term->{term});
    return qq($exact_index{$use} $relation "$text") if $exact_index{$use};
    my $index = $text_index{$use} // fail(114, $use);
    fail(117, $attribute{2}) if $relation ne '=';
    my $truncation = $attribute{5} // 100;
    fail(120, $truncation) unless grep { $truncation == $_ } 1, 2, 3, 100;
    $text = "$text*" if $truncation == 1 || $truncation == 3;
    $text = "*$text" if $truncation == 2 || $truncation == 3;
    return qq($index == "$text")  if ($attribute{6} // 0) == 3;
    return qq($index = "^$text")  if ($attribute{3} // 0) == 1;
    # A phrase is in sequence; other words may be anywhere in the field.
    return ($attribute{4} // 0) == 1 ? qq($index = "$text") : qq($index all "$text");
}

my %operator = (And => 'and', Or => 'or', AndNot => 'not');

sub to_cql {
    my ($node) = @_;
    my ($kind) = ref($node) =~ /^Net::Z3950::RPN::(\w+)$/;
    return term_to_cql($node) if ($kind // '') eq 'Term';
    my $operator = $operator{ $kind // '' } // fail(110, $kind);
    return '(' . to_cql($node->[0]) . ") $operator (" . to_cql($node->[1]) . ')';
}

sub get {
    my ($path, $accept) = @_;
    my %headers = (Accept => $accept, $token ? (Authorization => "Bearer $token") : ());
    my $answer  = $http->get("$base$path", { headers => \%headers });
    fail(2, "$answer->{status} $answer->{reason}") unless $answer->{success};
    return $answer->{content};
}

sub sru {
    my ($cql, $start, $limit) = @_;
    my %range  = (startRecord => $start, maximumRecords => $limit);
    my $query  = $http->www_form_urlencode({ version => '1.2', operation => 'searchRetrieve', query => $cql, %range });
    my $answer = get("/sru?$query", 'text/xml');
    if (my ($number) = $answer =~ m{info:srw/diagnostic/1/(\d+)}) { fail($number == 16 ? 114 : 108, "SRU $number") }
    return $answer;
}

# Runs a handler, and turns an error into a diagnostic.
sub answering {
    my ($handler) = @_;
    return sub {
        my ($args) = @_;
        return if eval { $handler->($args); 1 };
        my $error = ref $@ ? $@ : { code => 1, detail => "$@" };
        ($args->{ERR_CODE}, $args->{ERR_STR}) = ($error->{code}, $error->{detail});
    };
}

sub search {
    my ($args) = @_;
    my $cql = $args->{CQL} // to_cql(($args->{RPN} // fail(107))->{query});
    ($args->{HITS}) = sru($cql, 1, 0) =~ m{numberOfRecords>(\d+)<};
    $args->{HANDLE}{ $args->{SETNAME} } = { cql => $cql, hits => $args->{HITS}, ids => {} };
}

sub fetch {
    my ($args) = @_;
    my $set    = $args->{HANDLE}{ $args->{SETNAME} } // fail(30, $args->{SETNAME});
    my $offset = $args->{OFFSET};
    fail(13, $offset) if $offset < 1 || $offset > $set->{hits};
    my $format = $format{ $args->{REQ_FORM} } // fail(239, $args->{REQ_FORM});
    if (!$set->{ids}{$offset}) {
        my $at = $offset;
        my $answer = sru($set->{cql}, $offset, 20);
        $set->{ids}{ $at++ } = $1 while $answer =~ m{recordIdentifier>([^<]+)<}g;
    }
    my $id = $set->{ids}{$offset} // fail(14, $offset);
    $id =~ s/([^A-Za-z0-9._~-])/sprintf '%%%02X', ord $1/ge;
    $args->{RECORD}   = get("/entities/$id", $format);
    $args->{REP_FORM} = $args->{REQ_FORM};
    $args->{LAST}     = $offset == $set->{hits} ? 1 : 0;
}

Net::Z3950::SimpleServer->new(
    INIT   => sub { $_[0]{HANDLE} = {}; $_[0]{IMP_NAME} = 'Libretto'; },
    SEARCH => answering(\&search),
    FETCH  => answering(\&fetch),
)->launch_server('gateway.pl', @ARGV);
