import {
  Book,
  BookMarked,
  BookOpen,
  BookText,
  Building2,
  CalendarDays,
  CalendarRange,
  Clock,
  DoorOpen,
  Drama,
  FileImage,
  Hash,
  Languages,
  LibraryBig,
  Lightbulb,
  type LucideIcon,
  MapPin,
  Network,
  Newspaper,
  Route,
  Shapes,
  Signature,
  Tag,
  Theater,
  Ticket,
  User,
  Users
} from 'lucide-react'

const icons: Readonly<Record<string, LucideIcon>> = {
  work: Lightbulb,
  expression: BookText,
  manifestation: BookOpen,
  person: User,
  corporation: Building2,
  subject: Tag,
  genre: Drama,
  publisher: Newspaper,
  language: Languages,
  place: MapPin,
  time: Clock,
  title: BookMarked,
  siso: Hash,
  zizo: Network,
  code_wording: Signature,
  target_audience: Users,
  production: Theater,
  performance: CalendarDays,
  venue: MapPin,
  hall: DoorOpen,
  subscription: Ticket,
  tour: Route,
  company: Users,
  booking_agency: Building2,
  season: CalendarRange,
  mediafile: FileImage,
  item: Book,
  library: LibraryBig
}

/** The icon of a kind of record; decorative, since the name is beside it. */
export function FamilyIcon({ family, size = 18 }: { readonly family: string; readonly size?: number }) {
  const Icon = icons[family] ?? Shapes
  return <Icon size={size} aria-hidden="true" className="family-icon" strokeWidth={1.75} />
}
